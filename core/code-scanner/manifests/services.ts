import type { ManifestFormat, PackagePattern } from './pattern.ts'

/** The head of a step that logs in to another registry than Docker Hub. */
const OTHER_REGISTRY = String.raw`docker\/login-action@.*\n(?:[ \t]+(?![ \t]|-[ \t]).*\n){0,20}?[ \t]+registry:(?!.*docker\.(?:io|com))`

/** An item or key of YAML: `- uses: x`. */
function key(name: string): string {
  return String.raw`^[ \t]*(?:-[ \t]+)?${name}:[ \t]*["']?`
}

/** An image that a container is made of, without its tag. */
const IMAGE = String.raw`(?:docker\.io/|mirror\.gcr\.io/)?(?:library/)?(?<name>[\w.-]+(?:/[\w.-]+)+)`

/** Providers of DNS that an ACME client of a cluster or proxy uses. */
const DNS_PROVIDER =
  /\bdns(?:01:[ \t]*\r?\n|-?challenge(?:\.|:[ \t]*\r?\n[ \t]*)provider[=:])[ \t]*["']?(?<name>\w+)/gi

/** Clients of DNS providers by the names that ExternalDNS has for the providers. */
const EXTERNAL_DNS = byAlias(`
  route53=aws azure=azure,azure-dns cloudflare=cloudflare digitalocean=digitalocean dnsimple=dnsimple
  gandiv5=gandi gcloud=google godaddy=godaddy linode=linode ns1=ns1 ovh=ovh scaleway=scaleway
  transip=transip
`)

/** Providers of Terraform by the providers of External Secrets. */
const SECRET_STORES = byAlias(`
  aws=aws google=gcpsm azurerm=azurekv 1password/onepassword=onepassword,onepasswordSDK
  dopplerhq/doppler=doppler gitlabhq/gitlab=gitlab bitwarden/bitwarden-secrets=bitwardensecretsmanager
  infisical/infisical=infisical scaleway/scaleway=scaleway oracle/oci=oracle ibm-cloud/ibm=ibm
  pulumi/pulumiservice=pulumi yandex-cloud/yandex=yandexlockbox,yandexcertificatemanager
`)

/** Patterns of most YAML texts. */
const YAML: readonly PackagePattern[] = [
  { type: 'ansible', name: /^[ \t]*(?:-[ \t]+)?(?<name>[a-z_]\w*\.[a-z_]\w*\.[a-z_]\w*):/gm },
  // Inventories of Ansible.
  { type: 'ansible', name: /^plugin:[ \t]*["']?(?<name>[a-z_]\w*\.[a-z_]\w*\.[a-z_]\w*)/gm },
  { type: 'docker', name: new RegExp(key('(?:image|repository)') + IMAGE, 'gm') },
  { type: 'lego', name: DNS_PROVIDER },
  { type: 'cloudformation', name: /^[ \t]*Type:[ \t]*["']?(?<name>AWS)::\w+::/gm, isOnce: true },
]

/** Providers of Terraform by the builders and plugins of Packer. */
const PACKER_BUILDERS = byAlias(`
  aws=amazon azurerm=azure google=googlecompute digitalocean=digitalocean linode=linode
  hcloud=hcloud vultr=vultr alicloud=alicloud oci=oracle tencentcloud=tencentcloud
`)

/** Full names of Ansible's modules by their names without a namespace, as older files have them. */
const ANSIBLE_MODULES = byAlias(
  `
  community.general=slack,cloudflare_dns,pagerduty,pagerduty_alert,telegram,twilio
  community.general=sendgrid,datadog_event,datadog_monitor,newrelic_deployment
  community.general=rollbar_deployment,github_release,github_webhook,github_deploy_key
  community.general=gitlab_project,jira,heroku_collaborator,linode,linode_v4
  community.general=scaleway_compute,dnsimple,gandi_livedns,statusio_maintenance
  community.general=circonus_annotation,honeybadger_deployment,logentries
  community.general=librato_annotation,pushover,pushbullet,discord,mattermost
  amazon.aws=ec2,ec2_instance,ec2_ami,ec2_group,ec2_vpc_net,ec2_vpc_subnet,aws_s3
  amazon.aws=s3_bucket,route53,rds,rds_instance,cloudformation,iam_role,iam_policy,lambda
  amazon.aws=elb_application_lb,cloudwatchlogs_log_group,aws_ec2,aws_rds
  google.cloud=gcp_compute,gcp_compute_instance,gcp_storage_bucket,gcp_container_cluster
  azure.azcollection=azure_rm,azure_rm_virtualmachine,azure_rm_resourcegroup
  azure.azcollection=azure_rm_storageaccount,azure_rm_webapp
  community.digitalocean=digital_ocean,digital_ocean_droplet,digital_ocean_domain
  community.digitalocean=digital_ocean_sshkey,digital_ocean_block_storage
  hetzner.hcloud=hcloud_server,hcloud_network,hcloud_volume,hcloud_ssh_key,hcloud_firewall
  hetzner.hcloud=hcloud_load_balancer community.grafana=grafana_dashboard,grafana_datasource
  `,
  (namespace, module) => `${namespace}.${module}`,
)

/** Indexes names by their aliases: `name=alias,alias`. */
function byAlias(
  rows: string,
  toName = (name: string, _alias: string) => name,
): Readonly<Record<string, string>> {
  const names: Record<string, string> = {}
  for (const [, name = '', aliases = ''] of rows.matchAll(/(\S+)=(\S+)/g)) {
    for (const alias of aliases.split(',')) names[alias] = toName(name, alias)
  }
  return names
}

/** Plugins of Jenkins by their steps. */
const JENKINS_PLUGINS = byAlias(`
  slack=slackSend,slackUploadFile
  pipeline-aws=s3Upload,s3Download,withAWS,cfnUpdate,ecrLogin,invokeLambda
  Office-365-Connector=office365ConnectorSend discord-notifier=discordSend
  telegram-notifications=telegramSend pipeline-githubnotify-step=githubNotify
  google-storage-plugin=googleStorageUpload
  jira=jiraSendBuildInfo,jiraSendDeploymentInfo,jiraComment snyk-security-scanner=snykSecurity
`)

/** Libraries of Laravel's drivers for mail, files, queues, broadcasts, logs and searches. */
const LARAVEL_DRIVERS = byAlias(`
  aws/aws-sdk-php=s3,sqs,sqs-fifo,ses,ses-v2,dynamodb,cloudwatch
  symfony/mailgun-mailer=mailgun symfony/postmark-mailer=postmark
  symfony/sendgrid-mailer=sendgrid symfony/mailchimp-mailer=mandrill,mailchimp
  symfony/mailjet-mailer=mailjet symfony/brevo-mailer=brevo,sendinblue
  resend/resend-php=resend mailersend/laravel-driver=mailersend
  spatie/flysystem-dropbox=dropbox google/cloud-storage=gcs pusher/pusher-php-server=pusher
  ably/ably-php=ably algolia/algoliasearch-client-php=algolia bugsnag/bugsnag-laravel=bugsnag
  sentry/sentry-laravel=sentry,sentry_logs rollbar/rollbar-laravel=rollbar
  honeybadger-io/honeybadger-laravel=honeybadger laravel/slack-notification-channel=slack
`)

/** Libraries of Rails' services of files and methods of delivery. */
const RAILS_DRIVERS = byAlias(`
  aws-sdk-s3=S3 google-cloud-storage=GCS azure-storage-blob=AzureStorage,AzureBlob
  cloudinary=Cloudinary aws-sdk-rails=ses,sesv2,ses_v2,aws_sdk,aws_ses,amazon_ses
  postmark-rails=postmark mailgun-ruby=mailgun,mailgun_api
  sendgrid-actionmailer=sendgrid,sendgrid_actionmailer,sendgrid_api
  mailjet=mailjet,mailjet_api resend=resend mandrill-api=mandrill,mandrill_api
`)

/** A driver that a configuration file of Laravel names, perhaps as a default. */
const LARAVEL_DRIVER =
  /["'](?:driver|transport)["']\s*=>\s*(?:env\(["']\w+["'],\s*)?["'](?<name>[\w-]+)["']/g

/** Formats of manifests of services: infrastructure, builds, containers, releases. */
export const SERVICE_FORMATS: readonly ManifestFormat[] = [
  [
    '*.tf *.hcl *.tofu',
    { type: 'terraform', name: /^[ \t]*provider[ \t]+"(?<name>[\w-]+)"/gm },
    {
      type: 'terraform',
      name: /^[ \t]*(?:resource|data|ephemeral)[ \t]+"(?<name>[a-z\d]+)_\w+"/gm,
      isOnce: true,
    },
    // `hashicorp/aws` is a provider; `terraform-aws-modules/vpc/aws`, a module for one.
    {
      type: 'terraform',
      name: /\bsource[ \t]*=[ \t]*"(?=[^"]*\/)(?:[\w.-]+\.\w+\/)?(?:[\w-]+\/[\w-]+\/)?(?<name>[\w-]+(?:\/[\w-]+)?)"/g,
    },
    {
      type: 'terraform',
      name: /^[ \t]*source[ \t]+"(?<name>[a-z]+)[-\w]*"[ \t]+"/gm,
      names: PACKER_BUILDERS,
      isOnce: true,
    },
    {
      type: 'terraform',
      name: /\bsource[ \t]*=[ \t]*"github\.com\/hashicorp\/(?<name>[a-z]+)"/g,
      names: PACKER_BUILDERS,
    },
    {
      type: 'terraform',
      name: /\bsource[ \t]*=[ \t]*"(?:git|http)[^"]*\/terraform-(?<name>[a-z]+)-/g,
    },
    // The service that stores the state.
    {
      type: 'terraform',
      name: /^[ \t]*backend[ \t]+"(?<name>\w+)"/gm,
      names: {
        s3: 'aws',
        gcs: 'google',
        remote: 'tfe',
        azurerm: 'azurerm',
        oss: 'alicloud',
        cos: 'tencentcloud',
      },
    },
    { type: 'terraform', name: /^[ \t]*(?<name>cloud)[ \t]*\{/gm, names: { cloud: 'tfe' } },
  ],
  [
    `.{github,forgejo,gitea}/**.{yml,yaml} action.{yml,yaml} .circleci/**.{yml,yaml}
      bitbucket-pipelines.yml *azure-pipelines*.{yml,yaml} .azure*/**.{yml,yaml}`,
    {
      type: 'githubactions',
      name: new RegExp(
        String.raw`^[ \t]*(?:-[ \t]+)?uses:[ \t]*["']?(?!${OTHER_REGISTRY})(?<name>[\w.-]+(?:/[\w.-]+)+)@`,
        'gm',
      ),
    },
    // The registry of a step that logs in, also in a variable.
    {
      type: 'docker',
      name: /^[ \t]+(?:registry|[A-Z_]*REGISTRY):[ \t]*["']?(?:https:\/\/)?(?<name>[\w-]+(?:\.[\w-]+)+)(?=["']?[ \t]*(?:#.*)?$)/gm,
    },
    {
      type: 'bitbucketpipes',
      name: new RegExp(String.raw`${key('pipe')}(?<name>[\w-]+/[\w-]+):`, 'gm'),
    },
    { type: 'azurepipelines', name: new RegExp(String.raw`${key('task')}(?<name>\w+)@`, 'gm') },
    { type: 'circleci', name: /^[ \t]*[\w-]+:[ \t]*["']?(?<name>[\w-]+\/[\w-]+)@\d/gm },
  ],
  [
    'Jenkinsfile* *.{jenkinsfile,groovy}',
    {
      type: 'jenkins',
      name: new RegExp(
        String.raw`(?<![\w.])(?<name>${Object.keys(JENKINS_PLUGINS).join('|')})\b`,
        'g',
      ),
      names: JENKINS_PLUGINS,
    },
  ],
  [
    'Fastfile *.fastfile',
    { type: 'fastlane', name: /^[ \t]*(?:\w+[ \t]*=[ \t]*)?(?<name>[a-z]\w+)\b/gm },
  ],
  [
    '{Docker,Container}file{,.*} *.{Docker,Container}file{,.*}',
    {
      type: 'docker',
      name: new RegExp(String.raw`^[ \t]*FROM[ \t]+(?:--\S+[ \t]+)*${IMAGE}`, 'gm'),
    },
  ],
  [
    'app.json',
    {
      type: 'heroku',
      sections: [/"addons"\s*:\s*\[/g, /\]/g],
      name: /"(?!plan"|as"|options")(?<name>[\w-]+)(?::[\w.-]+)?"/g,
    },
  ],
  [
    '.travis.yml',
    { type: 'travis', name: new RegExp(`${key('provider')}(?<name>\\w+)`, 'gm') },
    {
      type: 'travis',
      name: /^[ \t]+(?<name>slack|sonarcloud|sauce_connect|browserstack|code_climate)(?=:)/gm,
    },
  ],
  [
    'serverless*.{yml,yaml}',
    { type: 'serverless', name: /^provider:[ \t]*(?:\r?\n[ \t]+name:[ \t]*)?["']?(?<name>\w+)/gm },
    ...YAML,
  ],
  [
    '{tasks,handlers,playbooks}/**.{yml,yaml} {playbook,site,main}*.{yml,yaml}',
    {
      type: 'ansible',
      name: /^[ \t]*(?:-[ \t]+)?(?<name>[a-z]\w+):(?=[ \t]*(?:$|#|\w+=))/gm,
      names: ANSIBLE_MODULES,
    },
    ...YAML,
  ],
  // The library for models supports all providers.
  ['config/ai.php', { type: 'laravel', name: LARAVEL_DRIVER }],
  [
    'config/*.php',
    { type: 'composer', name: LARAVEL_DRIVER, names: LARAVEL_DRIVERS, needsDependency: true },
  ],
  [
    'config/**.rb',
    { type: 'gem', name: /\bdelivery_method\s*=\s*:(?<name>\w+)/g, names: RAILS_DRIVERS },
  ],
  [
    'storage.{yml,yaml}',
    { type: 'gem', name: new RegExp(`${key('service')}(?<name>\\w+)`, 'gm'), names: RAILS_DRIVERS },
  ],
  [
    'external-dns/**.{yml,yaml} *external-dns*.{yml,yaml}',
    {
      type: 'lego',
      name: /^[ \t-]*(?:--)?provider[:=][ \t]*(?:\r?\n[ \t]+name:[ \t]*)?["']?(?<name>[\w-]+)/gm,
      names: EXTERNAL_DNS,
    },
    ...YAML,
  ],
  [
    '*secret{,-}store*.{yml,yaml}',
    {
      type: 'terraform',
      name: /^[ \t]+provider:[ \t]*\r?\n[ \t]+(?<name>\w+):/gm,
      names: SECRET_STORES,
    },
    ...YAML,
  ],
  [
    '{requirements,galaxy}.{yml,yaml}',
    {
      type: 'ansible',
      name: new RegExp(String.raw`${key('name')}(?<name>[a-z_]\w*\.[a-z_]\w*)\b`, 'gm'),
    },
  ],
  [
    '{inventory,inventories}/**.{yml,yaml} *{aws_ec2,aws_rds,azure_rm,gcp_compute,linode}.{yml,yaml}',
    { type: 'ansible', name: /^plugin:[ \t]*["']?(?<name>\w+)\b(?!\.)/gm, names: ANSIBLE_MODULES },
    ...YAML,
  ],
  ['*.{yml,yaml}', ...YAML],
]

import { DRIVER_FORMATS } from './drivers.ts'
import { byAlias, type ManifestFormat, type PackagePattern } from './pattern.ts'
import { GITHUB_SCRIPT, PLUGINS, REGISTRIES, SERVICE_FILES } from './service-files.ts'
import { TELEMETRY_FORMATS, TELEMETRY_YAML } from './telemetry.ts'

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

/** Providers of Terraform by the namespaces of other vendors' types in CloudFormation. */
const RESOURCE_TYPES = byAlias(`
  datadog=Datadog mongodbatlas=MongoDB newrelic=NewRelic okta=Okta pagerduty=PagerDuty
  github=GitHub gitlab=GitLab cloudflare=Cloudflare fastly=Fastly dynatrace=Dynatrace
`)

/** Providers of Terraform by the namespaces of settings in Pulumi. */
const PULUMI_PROVIDERS = byAlias(`
  aws=aws azurerm=azure,azure-native google=gcp,google-native cloudflare=cloudflare
  datadog=datadog digitalocean=digitalocean github=github gitlab=gitlab pagerduty=pagerduty
  newrelic=newrelic linode=linode hcloud=hcloud auth0=auth0 okta=okta fastly=fastly
  mongodbatlas=mongodbatlas snowflake=snowflake opsgenie=opsgenie heroku=heroku vultr=vultr
  scaleway=scaleway alicloud=alicloud oci=oci
`)

/** Patterns of most YAML texts. */
const YAML: readonly PackagePattern[] = [
  { type: 'ansible', name: /^[ \t]*(?:-[ \t]+)?(?<name>[a-z_]\w*\.[a-z_]\w*\.[a-z_]\w*):/gm },
  // Inventories of Ansible.
  { type: 'ansible', name: /^plugin:[ \t]*["']?(?<name>[a-z_]\w*\.[a-z_]\w*\.[a-z_]\w*)/gm },
  { type: 'docker', name: new RegExp(key('(?:image|repository)') + IMAGE, 'gm') },
  { type: 'lego', name: DNS_PROVIDER },
  { type: 'cloudformation', name: /^[ \t]*Type:[ \t]*["']?(?<name>AWS)::\w+::/gm, isOnce: true },
  {
    type: 'terraform',
    name: /^[ \t]*Type:[ \t]*["']?(?<name>[A-Z]\w+)::\w+::/gm,
    names: RESOURCE_TYPES,
    isOnce: true,
  },
  // Steps of Google Workflows.
  {
    type: 'terraform',
    name: /^[ \t]+(?:-[ \t]+)?call:[ \t]*(?<name>googleapis)\.\w+\.v\d/gm,
    names: { googleapis: 'google' },
  },
  ...TELEMETRY_YAML,
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

/** Plugins of Jenkins by their steps. */
const JENKINS_PLUGINS = byAlias(`
  slack=slackSend,slackUploadFile
  pipeline-aws=s3Upload,s3Download,withAWS,cfnUpdate,ecrLogin,invokeLambda
  Office-365-Connector=office365ConnectorSend discord-notifier=discordSend
  telegram-notifications=telegramSend pipeline-githubnotify-step=githubNotify
  google-storage-plugin=googleStorageUpload
  jira=jiraSendBuildInfo,jiraSendDeploymentInfo,jiraComment snyk-security-scanner=snykSecurity
`)

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
    // The registry that a cache of images reads.
    { type: 'service', name: /^[ \t]*upstream_registry_url[ \t]*=[ \t]*"(?<name>[\w.-]+)"/gm },
  ],
  [
    `.{github,forgejo,gitea}/**.{yml,yaml} action.{yml,yaml} .circleci/**.{yml,yaml}
      bitbucket-pipelines.yml *azure-pipelines*.{yml,yaml} .azure*/**.{yml,yaml}`,
    {
      type: 'githubactions',
      name: new RegExp(
        String.raw`^[ \t]*(?:-[ \t]+)?uses:[ \t]*["']?(?!${OTHER_REGISTRY}|actions/github-script@)(?<name>[\w.-]+(?:/[\w.-]+)+)@`,
        'gm',
      ),
    },
    ...REGISTRIES,
    {
      type: 'bitbucketpipes',
      name: new RegExp(String.raw`${key('pipe')}(?<name>[\w-]+/[\w-]+):`, 'gm'),
    },
    { type: 'azurepipelines', name: new RegExp(String.raw`${key('task')}(?<name>\w+)@`, 'gm') },
    ...GITHUB_SCRIPT,
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
    PLUGINS,
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
    {
      type: 'npm',
      sections: [/^plugins:[ \t]*$/gm, /\n(?=\w)/g],
      name: /^[ \t]*-[ \t]+["']?(?<name>(?:@[\w.-]+\/)?[\w.-]+)/gm,
    },
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
  ...DRIVER_FORMATS,
  ...SERVICE_FILES,
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
  [
    'Pulumi*.{yml,yaml}',
    {
      type: 'terraform',
      name: /^[ \t]+(?<name>[a-z][\w-]*):\w+:/gm,
      names: PULUMI_PROVIDERS,
      isOnce: true,
    },
    ...YAML,
  ],
  [
    'Caddyfile{,.*} *.{Caddyfile,caddy}',
    { type: 'lego', name: /^[ \t]*(?:acme_dns|dns)[ \t]+(?<name>\w+)/gm },
  ],
  ...TELEMETRY_FORMATS,
  ['*.{yml,yaml}', ...YAML],
]

import { byAlias, type ManifestFormat } from './pattern.ts'

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

/** Services that frameworks select by the name of a driver. */
export const DRIVER_FORMATS: readonly ManifestFormat[] = [
  // The library for models supports all providers.
  ['config/ai.php', { type: 'laravel', name: LARAVEL_DRIVER }],
  [
    'config/*.php',
    { type: 'composer', name: LARAVEL_DRIVER, names: LARAVEL_DRIVERS, needsDependency: true },
  ],
  [
    '.env{,.*}',
    {
      type: 'composer',
      name: /^(?:export )?(?:MAIL|QUEUE|BROADCAST|FILESYSTEM|SCOUT|CACHE|SESSION)_(?:MAILER|DRIVER|CONNECTION|DISK|CLOUD|STORE)=["']?(?<name>[\w-]+)/gm,
      names: LARAVEL_DRIVERS,
    },
  ],
  [
    'config/**.rb',
    { type: 'gem', name: /\bdelivery_method\s*=\s*:(?<name>\w+)/g, names: RAILS_DRIVERS },
  ],
  [
    'storage.{yml,yaml}',
    {
      type: 'gem',
      name: /^[ \t]*(?:-[ \t]+)?service:[ \t]*["']?(?<name>\w+)/gm,
      names: RAILS_DRIVERS,
    },
  ],
]

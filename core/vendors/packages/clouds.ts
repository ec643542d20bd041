import type { PackageRow } from '../../scans/project/packages/rows.ts'

/** Service names: in packages, in host names if different, in .NET. */
const AWS: readonly (readonly [name: string, host: string, dotnet: string])[] = [
  ['s3', 's3', 'S3'],
  ['dynamodb', 'dynamodb', 'DynamoDBv2'],
  ['sqs', 'sqs', 'SQS'],
  ['sns', 'sns', 'SimpleNotificationService'],
  ['ses', 'email', 'SimpleEmail'],
  ['sesv2', 'email', 'SimpleEmailV2'],
  ['lambda', 'lambda', 'Lambda'],
  ['ec2', 'ec2', 'EC2'],
  ['ecs', 'ecs', 'ECS'],
  ['ecr', 'api.ecr', 'ECR'],
  ['eks', 'eks', 'EKS'],
  ['iam', 'iam', 'IdentityManagement'],
  ['sts', 'sts', 'SecurityToken'],
  ['kms', 'kms', 'KeyManagementService'],
  ['ssm', 'ssm', 'SimpleSystemsManagement'],
  ['secrets-manager', 'secretsmanager', 'SecretsManager'],
  ['cloudwatch', 'monitoring', 'CloudWatch'],
  ['cloudwatch-logs', 'logs', 'CloudWatchLogs'],
  ['cloudformation', 'cloudformation', 'CloudFormation'],
  ['cloudfront', 'cloudfront', 'CloudFront'],
  ['cognito-identity-provider', 'cognito-idp', 'CognitoIdentityProvider'],
  ['cognito-identity', 'cognito-identity', 'CognitoIdentity'],
  ['kinesis', 'kinesis', 'Kinesis'],
  ['firehose', 'firehose', 'KinesisFirehose'],
  ['eventbridge', 'events', 'EventBridge'],
  ['sfn', 'states', 'StepFunctions'],
  ['rds', 'rds', 'RDS'],
  ['route-53', 'route53', 'Route53'],
  ['athena', 'athena', 'Athena'],
  ['glue', 'glue', 'Glue'],
  ['bedrock-runtime', 'bedrock-runtime', 'BedrockRuntime'],
  ['rekognition', 'rekognition', 'Rekognition'],
  ['textract', 'textract', 'Textract'],
  ['polly', 'polly', 'Polly'],
  ['transcribe', 'transcribe', 'TranscribeService'],
  ['translate', 'translate', 'Translate'],
  ['comprehend', 'comprehend', 'Comprehend'],
  ['sagemaker', 'api.sagemaker', 'SageMaker'],
  ['api-gateway', 'apigateway', 'APIGateway'],
  ['apigatewaymanagementapi', 'execute-api', 'ApiGatewayManagementApi'],
  ['iot-data-plane', 'data-ats.iot', 'IotData'],
  ['pinpoint', 'pinpoint', 'Pinpoint'],
]

function awsRows(): readonly PackageRow[] {
  const services = AWS.map(([name, host, dotnet]) => {
    const plain = name.replaceAll('-', '')
    return {
      vendor: 'Amazon Web Services',
      url: `https://${host}.{}.amazonaws.com`,
      packages: [
        `pkg:npm/@aws-sdk/client-${name}`,
        `pkg:gem/aws-sdk-${plain}`,
        `pkg:golang/github.com/aws/aws-sdk-go-v2/service/${plain}`,
        `pkg:golang/github.com/aws/aws-sdk-go/service/${plain}`,
        `pkg:maven/software.amazon.awssdk/${plain}`,
        `pkg:maven/com.amazonaws/aws-java-sdk-${plain}`,
        `pkg:nuget/AWSSDK.${dotnet}`,
        `pkg:cargo/aws-sdk-${plain}`,
      ],
      imports: {
        java: [`software.amazon.awssdk.services.${plain}`, `com.amazonaws.services.${plain}`],
        'c-sharp': [`Amazon.${dotnet}`],
      },
    }
  })
  const whole: PackageRow = {
    vendor: 'Amazon Web Services',
    url: 'https://{}.amazonaws.com',
    packages: [
      'pkg:npm/aws-sdk',
      'pkg:npm/@aws-amplify/*',
      'pkg:npm/aws-amplify',
      'pkg:pypi/boto3',
      'pkg:pypi/aioboto3',
      'pkg:pypi/botocore',
      'pkg:gem/aws-sdk',
      'pkg:composer/aws/aws-sdk-php',
      'pkg:composer/aws/aws-sdk-php-laravel',
      'pkg:golang/github.com/aws/aws-sdk-go',
      'pkg:maven/com.amazonaws/aws-java-sdk',
    ],
    imports: { php: ['Aws'] },
  }
  return [...services, whole]
}

/** Service names: in packages, in hosts, in Go. */
const GOOGLE: readonly (readonly [name: string, host: string, go: string])[] = [
  ['storage', 'storage', 'storage'],
  ['pubsub', 'pubsub', 'pubsub'],
  ['firestore', 'firestore', 'firestore'],
  ['datastore', 'datastore', 'datastore'],
  ['bigquery', 'bigquery', 'bigquery'],
  ['logging', 'logging', 'logging'],
  ['translate', 'translation', 'translate'],
  ['vision', 'vision', 'vision'],
  ['speech', 'speech', 'speech'],
  ['text-to-speech', 'texttospeech', 'texttospeech'],
  ['language', 'language', 'language'],
  ['tasks', 'cloudtasks', 'cloudtasks'],
  ['secret-manager', 'secretmanager', 'secretmanager'],
  ['kms', 'cloudkms', 'kms'],
  ['monitoring', 'monitoring', 'monitoring'],
  ['aiplatform', 'aiplatform', 'aiplatform'],
  ['spanner', 'spanner', 'spanner'],
  ['bigtable', 'bigtable', 'bigtable'],
  ['scheduler', 'cloudscheduler', 'scheduler'],
  ['dialogflow', 'dialogflow', 'dialogflow'],
  ['recaptcha-enterprise', 'recaptchaenterprise', 'recaptchaenterprise'],
  ['video-intelligence', 'videointelligence', 'videointelligence'],
  ['documentai', 'documentai', 'documentai'],
  ['error-reporting', 'clouderrorreporting', 'errorreporting'],
]

function googleRows(): readonly PackageRow[] {
  const services = GOOGLE.map(([name, host, go]) => {
    const plain = name.replaceAll('-', '')
    const studly = name.replaceAll(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase())
    return {
      vendor: 'Google',
      url: `https://${host}.googleapis.com`,
      packages: [
        `pkg:npm/@google-cloud/${name}`,
        `pkg:pypi/google-cloud-${name}`,
        `pkg:gem/google-cloud-${name.replaceAll('-', '_')}`,
        `pkg:composer/google/cloud-${name}`,
        `pkg:golang/cloud.google.com/go/${go}`,
        `pkg:maven/com.google.cloud/google-cloud-${plain}`,
        `pkg:nuget/Google.Cloud.${studly}.V1`,
      ],
      imports: {
        python: [`google.cloud.${name.replaceAll('-', '_')}`, `google.cloud.${plain}`],
        ruby: [`google/cloud/${name.replaceAll('-', '_')}`],
        java: [`com.google.cloud.${plain}`],
        php: [`Google\\Cloud\\${studly}`],
        'c-sharp': [`Google.Cloud.${studly}`],
      },
    }
  })
  const whole: PackageRow = {
    vendor: 'Google',
    url: 'https://www.googleapis.com',
    packages: [
      'pkg:npm/googleapis',
      'pkg:npm/@googleapis/*',
      'pkg:pypi/google-api-python-client',
      'pkg:gem/google-api-client',
      'pkg:gem/google-apis-*',
      'pkg:composer/google/apiclient',
      'pkg:golang/google.golang.org/api',
      'pkg:maven/com.google.apis/*',
      'pkg:maven/com.google.api-client/google-api-client',
      'pkg:nuget/Google.Apis',
    ],
    imports: {
      python: ['googleapiclient', 'apiclient.discovery'],
      ruby: ['google/apis', 'google/api_client'],
      java: ['com.google.api.services'],
      php: ['Google\\Client', 'Google\\Service', 'Google_Client'],
    },
  }
  return [...services, whole]
}

/** Services of Amazon and Google, one row each. */
export const CLOUD_PACKAGES: readonly PackageRow[] = [...awsRows(), ...googleRows()]

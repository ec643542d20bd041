import type { PackageRow } from '../../scans/project/packages/rows.ts'

/** Service names: in npm, PyPI, .NET, Java and hosts. */
const AZURE: readonly (readonly string[])[] = [
  ['storage-blob', 'storage-blob', 'Storage.Blobs', 'storage.blob', '{}.blob.core.windows.net'],
  [
    'storage-queue',
    'storage-queue',
    'Storage.Queues',
    'storage.queue',
    '{}.queue.core.windows.net',
  ],
  ['data-tables', 'data-tables', 'Data.Tables', 'data.tables', '{}.table.core.windows.net'],
  ['cosmos', 'cosmos', 'Cosmos', 'cosmos', '{}.documents.azure.com'],
  [
    'service-bus',
    'servicebus',
    'Messaging.ServiceBus',
    'messaging.servicebus',
    '{}.servicebus.windows.net',
  ],
  [
    'event-hubs',
    'eventhub',
    'Messaging.EventHubs',
    'messaging.eventhubs',
    '{}.servicebus.windows.net',
  ],
  [
    'keyvault-secrets',
    'keyvault-secrets',
    'Security.KeyVault.Secrets',
    'security.keyvault.secrets',
    '{}.vault.azure.net',
  ],
  [
    'keyvault-keys',
    'keyvault-keys',
    'Security.KeyVault.Keys',
    'security.keyvault.keys',
    '{}.vault.azure.net',
  ],
  ['openai', 'ai-openai', 'AI.OpenAI', 'ai.openai', '{}.openai.azure.com'],
  [
    'ai-text-analytics',
    'ai-textanalytics',
    'AI.TextAnalytics',
    'ai.textanalytics',
    '{}.cognitiveservices.azure.com',
  ],
  [
    'ai-form-recognizer',
    'ai-formrecognizer',
    'AI.FormRecognizer',
    'ai.formrecognizer',
    '{}.cognitiveservices.azure.com',
  ],
  [
    'search-documents',
    'search-documents',
    'Search.Documents',
    'search.documents',
    '{}.search.windows.net',
  ],
  [
    'communication-email',
    'communication-email',
    'Communication.Email',
    'communication.email',
    '{}.communication.azure.com',
  ],
  ['arm-resources', 'mgmt-resource', 'ResourceManager', 'resourcemanager', 'management.azure.com'],
]

function azureRows(): readonly PackageRow[] {
  return AZURE.map(([npm = '', pypi = '', dotnet = '', java = '', host = '']) => ({
    vendor: 'Microsoft',
    url: `https://${host}`,
    packages: [
      `pkg:npm/@azure/${npm}`,
      `pkg:pypi/azure-${pypi}`,
      `pkg:nuget/Azure.${dotnet}`,
      `pkg:maven/com.azure/azure-${java.replaceAll('.', '-')}`,
      `pkg:cargo/azure_${pypi.replaceAll('-', '_')}`,
    ],
    imports: {
      python: [`azure.${pypi.replaceAll('-', '.')}`],
      java: [`com.azure.${java}`],
    },
  }))
}

/** Services of Azure, and other services of Microsoft. */
export const MICROSOFT_PACKAGES: readonly PackageRow[] = [
  ...azureRows(),
  {
    vendor: 'Microsoft',
    url: 'https://graph.microsoft.com/v1.0',
    packages: [
      'pkg:npm/@microsoft/microsoft-graph-client',
      'pkg:npm/@microsoft/msgraph-sdk',
      'pkg:pypi/msgraph-sdk',
      'pkg:pypi/msgraph-core',
      'pkg:composer/microsoft/microsoft-graph',
      'pkg:golang/github.com/microsoftgraph/msgraph-sdk-go',
      'pkg:maven/com.microsoft.graph/microsoft-graph',
      'pkg:nuget/Microsoft.Graph',
    ],
    imports: {
      python: ['msgraph', 'msgraph_core'],
      java: ['com.microsoft.graph'],
      php: ['Microsoft\\Graph'],
    },
  },
  {
    vendor: 'Microsoft',
    url: 'https://dev.azure.com',
    packages: [
      'pkg:npm/azure-devops-node-api',
      'pkg:pypi/azure-devops',
      'pkg:golang/github.com/microsoft/azure-devops-go-api/azuredevops',
      'pkg:nuget/Microsoft.TeamFoundationServer.Client',
      'pkg:nuget/Microsoft.VisualStudio.Services.Client',
    ],
    imports: {
      python: ['azure.devops'],
      'c-sharp': ['Microsoft.TeamFoundation', 'Microsoft.VisualStudio.Services'],
    },
  },
  {
    vendor: 'Microsoft',
    url: 'https://login.microsoftonline.com',
    packages: [
      'pkg:npm/@azure/msal-node',
      'pkg:npm/@azure/msal-browser',
      'pkg:npm/@azure/msal-react',
      'pkg:npm/@azure/identity',
      'pkg:pypi/msal',
      'pkg:pypi/azure-identity',
      'pkg:golang/github.com/Azure/azure-sdk-for-go/sdk/azidentity',
      'pkg:maven/com.microsoft.azure/msal4j',
      'pkg:maven/com.azure/azure-identity',
      'pkg:nuget/Microsoft.Identity.Client',
      'pkg:nuget/Microsoft.Identity.Web',
      'pkg:nuget/Azure.Identity',
    ],
    imports: {
      python: ['msal', 'azure.identity'],
      java: ['com.microsoft.aad.msal4j', 'com.azure.identity'],
    },
  },
]

import { describe, expect, it } from 'vitest'
import { AI_SERVICES, createAiServices } from '../../../core/vendors/ai-services.ts'
import { VENDORS } from '../../../core/vendors/vendors.ts'

describe('the AI services', () => {
  it.each([
    ['api.openai.com', 'ai-models'],
    ['api.deepseek.com', 'ai-models'],
    ['acme.openai.azure.com', 'ai-models'],
    ['bedrock-runtime.eu-west-1.amazonaws.com', 'ai-models'],
    ['bedrock-runtime.{}.amazonaws.com', 'ai-models'],
    ['generativelanguage.googleapis.com', 'ai-models'],
    ['us-central1-aiplatform.googleapis.com', 'ai-models'],
    ['router.huggingface.co', 'ai-models'],
    ['index-1.svc.us-east1.pinecone.io', 'vector-store'],
    ['us.cloud.langfuse.com', 'ai-observability'],
    ['api.tavily.com', 'ai-tools'],
    ['dashscope.aliyuncs.com', 'ai-models'],
    ['us-south.ml.cloud.ibm.com', 'ai-models'],
    // Other services of vendors that have an AI service too.
    ['s3.eu-west-1.amazonaws.com', undefined],
    ['storage.googleapis.com', undefined],
    ['graph.microsoft.com', undefined],
    ['dysmsapi.aliyuncs.com', undefined],
    ['iam.cloud.ibm.com', undefined],
    ['api.github.com', undefined],
    ['api.stripe.com', undefined],
    ['api.acme.dev', undefined],
  ])('include %s as %s', (host, kind) => {
    expect(AI_SERVICES.findKind(host)).toBe(kind)
  })

  it.each([
    ['gpt-4o-mini', 'OpenAI'],
    ['claude-sonnet-4-20250514', 'Anthropic'],
    ['gemini-2.0-flash', 'Google'],
    ['anthropic.claude-3-haiku-20240307-v1:0', 'Amazon Web Services'],
    ['codestral-latest', 'Mistral AI'],
    ['grok-4', 'xAI'],
    ['gpt', undefined],
    ['user', undefined],
    ['claude', undefined],
  ])('serve the model %s: %s', (model, vendor) => {
    expect(AI_SERVICES.findByModel(model)?.vendor).toBe(vendor)
  })

  it('serve models of other vendors under their names', () => {
    expect(AI_SERVICES.serves('acme.openai.azure.com', 'gpt-4o')).toBe(true)
    expect(AI_SERVICES.serves('api.groq.com', 'gpt-4o')).toBe(false)
    expect(AI_SERVICES.findByProvider('together_ai')?.vendor).toBe('Together AI')
  })

  it('are more than 100 vendors, and those of users', () => {
    const vendors = VENDORS.filter(({ kind }) => kind !== undefined).map(({ vendor }) => vendor)
    expect(new Set(vendors).size).toBeGreaterThan(100)
    const own = createAiServices([
      {
        vendor: 'Acme',
        url: 'https://llm.acme.io/v1',
        kind: 'ai-models',
        models: ['acme-*'],
      },
    ])
    expect(own.findKind('llm.acme.io')).toBe('ai-models')
    expect(own.findByModel('acme-7b')?.vendor).toBe('Acme')
  })
})

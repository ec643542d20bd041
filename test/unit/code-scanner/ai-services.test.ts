import { describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import { createPackageTable } from '../../../core/code-scanner/packages/table.ts'
import { scanProject } from '../../../core/code-scanner/scan-project.ts'

const grammars = await openGrammars([
  'typescript',
  'tsx',
  'python',
  'go',
  'java',
  'c-sharp',
  'ruby',
  'php',
  'rust',
])
const table = createPackageTable()

/** Scans texts by path. Returns `file vendor kind via: models`, each line once. */
async function showServices(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const list = Object.entries(files).map(([path, text]) => ({ path, text }))
  const catalogue = { match: () => undefined }
  const { findings } = await scanProject({ files: list, grammars, catalogue, ...table })
  const lines = findings.map(({ file, vendorName, host, kind, via, models }) =>
    [file, vendorName ?? host, kind ?? '-', via, ...(models ? [models.join(' ')] : [])].join(', '),
  )
  return [...new Set(lines)]
}

describe('services of a vendor with models', () => {
  it('have a kind only if they serve models', async () => {
    expect(
      await showServices({
        'pubspec.yaml': 'dependencies:\n  in_app_purchase: ^3.1.0\n',
        'requirements.txt': 'google-genai==1.0.0\nsimplegmail==4.1.1\n',
        '.env': 'SMTP_SERVER=smtp.gmail.com\n',
      }),
    ).toEqual([
      '.env, Google, -, config',
      'pubspec.yaml, Google, -, manifest',
      'requirements.txt, Google, ai-models, manifest',
      'requirements.txt, Google, -, manifest',
    ])
  })
})

describe('models that code names', () => {
  it.each([
    [
      'Python',
      'a.py',
      'from openai import OpenAI\nclient = OpenAI()\nclient.chat.completions.create(model="gpt-4o", messages=[])\n',
      ['a.py, OpenAI, ai-models, import, gpt-4o'],
    ],
    [
      'TypeScript',
      'a.ts',
      `import Anthropic from '@anthropic-ai/sdk'\nconst client = new Anthropic()\nclient.messages.create({ model: 'claude-sonnet-4-0', max_tokens: 9 })\n`,
      ['a.ts, Anthropic, ai-models, import, claude-sonnet-4-0'],
    ],
    [
      'the Vercel AI SDK',
      'a.ts',
      `import { google } from '@ai-sdk/google'\nimport { generateText } from 'ai'\nawait generateText({ model: google('gemini-2.0-flash'), prompt: 'a' })\n`,
      ['a.ts, Google, ai-models, import, gemini-2.0-flash'],
    ],
    [
      'Go',
      'a.go',
      'package main\n\nimport "github.com/anthropics/anthropic-sdk-go"\n\nfunc main() {\n\tclient := anthropic.NewClient()\n\tclient.Messages.New(ctx, anthropic.MessageNewParams{Model: "claude-3-5-haiku-latest"})\n}\n',
      ['a.go, Anthropic, ai-models, import, claude-3-5-haiku-latest'],
    ],
    [
      'Java',
      'A.java',
      'import dev.langchain4j.model.openai.OpenAiChatModel;\n\nclass A {\n  Object make() {\n    return OpenAiChatModel.builder().apiKey("k").modelName("gpt-4o-mini").build();\n  }\n}\n',
      ['A.java, OpenAI, ai-models, import, gpt-4o-mini'],
    ],
    [
      'C#',
      'A.cs',
      'using OpenAI.Chat;\n\nclass A {\n  ChatClient client = new ChatClient("gpt-4.1", "k");\n}\n',
      ['A.cs, OpenAI, ai-models, import, gpt-4.1'],
    ],
    [
      'Ruby',
      'a.rb',
      'require "openai"\nclient = OpenAI::Client.new\nclient.chat(parameters: { model: "gpt-4o", messages: [] })\n',
      ['a.rb, OpenAI, ai-models, import, gpt-4o'],
    ],
    [
      'PHP',
      'a.php',
      "<?php\nuse OpenAI\\Client;\n$client = \\OpenAI::client('k');\n$client->chat()->create(['model' => 'gpt-4o', 'messages' => []]);\n",
      ['a.php, OpenAI, ai-models, import, gpt-4o'],
    ],
    [
      'Rust',
      'a.rs',
      'use async_openai::Client;\n\nfn main() {\n    let request = CreateChatCompletionRequestArgs::default().model("gpt-4o").build();\n}\n',
      ['a.rs, OpenAI, ai-models, import, gpt-4o'],
    ],
  ])('belong to the service of the file in %s', async (_, path, text, wanted) => {
    expect(await showServices({ [path]: text })).toEqual(wanted)
  })

  it('belong to the service of another file that serves them', async () => {
    const files = {
      'client.py': 'import anthropic\nclient = anthropic.Anthropic()\n',
      'other.py': 'import openai\nclient = openai.OpenAI()\n',
      'settings.py': 'DEFAULT_MODEL = "claude-opus-4-1"\n',
    }
    expect(await showServices(files)).toEqual([
      'client.py, Anthropic, ai-models, import, claude-opus-4-1',
      'other.py, OpenAI, ai-models, import',
    ])
  })

  it('are in the URL of a call', async () => {
    const text = `await fetch('https://generativelanguage.googleapis.com/v1beta/models/gemini-1.5-pro:generateContent', { method: 'POST' })\n`
    expect(await showServices({ 'a.ts': text })).toEqual([
      'a.ts, Google, ai-models, call, gemini-1.5-pro',
    ])
  })

  it('are no service by themselves, and not those of tests, tables and other records', async () => {
    const head = `import OpenAI from 'openai'\nconst client = new OpenAI()\n`
    const files = {
      'a.ts': `export const model = 'claude-3-opus-20240229'\n`,
      'b.ts': `${head}const prices = [{ model: 'gpt-4o', inputPrice: 5 }]\nconst car = { model: 'model-3-2024' }\nconsole.log('gpt-4o')\n`,
      'test/c.ts': `${head}client.chat.completions.create({ model: 'gpt-3.5-turbo' })\n`,
    }
    const { 'a.ts': only } = files
    expect(await showServices({ 'a.ts': only })).toEqual([])
    const { 'a.ts': _, ...others } = files
    expect(await showServices(others)).toEqual([
      'b.ts, OpenAI, ai-models, import',
      'test/c.ts, OpenAI, ai-models, import',
    ])
  })
})

describe('a library that selects the provider by the name of a model', () => {
  it.each([
    [
      'litellm',
      'a.py',
      'import litellm\nlitellm.completion(model="anthropic/claude-sonnet-4-0", messages=[])\nlitellm.completion(model="ollama/llama3", messages=[])\n',
      ['a.py, Anthropic, ai-models, model, claude-sonnet-4-0'],
    ],
    [
      'LangChain',
      'a.py',
      'from langchain.chat_models import init_chat_model\nmodel = init_chat_model("gpt-4o-mini")\nother = init_chat_model("groq:llama-3.1-8b-instant")\n',
      [
        'a.py, OpenAI, ai-models, model, gpt-4o-mini',
        'a.py, Groq, ai-models, model, llama-3.1-8b-instant',
      ],
    ],
    [
      'the Vercel AI Gateway',
      'a.ts',
      `import { generateText } from 'ai'\nawait generateText({ model: 'openai/gpt-4o', prompt: 'a' })\n`,
      ['a.ts, Vercel, ai-models, model, openai/gpt-4o'],
    ],
    [
      'RubyLLM',
      'a.rb',
      'require "ruby_llm"\nchat = RubyLLM.chat(model: "gemini-2.0-flash")\n',
      ['a.rb, Google, ai-models, model, gemini-2.0-flash'],
    ],
    [
      'Amazon Bedrock',
      'a.py',
      'import boto3\nclient = boto3.client("bedrock-runtime")\nclient.invoke_model(modelId="anthropic.claude-3-haiku-20240307-v1:0")\n',
      [
        'a.py, Amazon Web Services, -, import',
        'a.py, Amazon Web Services, ai-models, model, anthropic.claude-3-haiku-20240307-v1:0',
      ],
    ],
    [
      'litellm for costs alone',
      'a.py',
      'import os\nimport litellm\nmodel = os.getenv("M", "gpt-4o-mini")\nlitellm.completion_cost(model=model)\n',
      [],
    ],
    [
      'litellm for costs, too',
      'a.py',
      'import os\nimport litellm\nmodel = os.getenv("M", "gpt-4o-mini")\nlitellm.completion_cost(litellm.completion(model=model))\n',
      ['a.py, OpenAI, ai-models, model, gpt-4o-mini'],
    ],
  ])('is a usage of the provider: %s', async (_, path, text, wanted) => {
    expect(await showServices({ [path]: text })).toEqual(wanted)
  })
})

describe('a client with a base of its own', () => {
  it.each([
    [
      'Python',
      'a.py',
      'from openai import OpenAI\nclient = OpenAI(base_url="https://api.groq.com/openai/v1", api_key=key)\nclient.chat.completions.create(model="llama-3.1-8b-instant")\n',
      ['Groq'],
    ],
    [
      'an alternative in the environment',
      'a.py',
      'import os\nfrom openai import OpenAI\nclient = OpenAI(base_url=os.getenv("BASE", "https://openrouter.ai/api/v1"))\n',
      ['OpenRouter'],
    ],
    [
      'TypeScript',
      'a.ts',
      `import OpenAI from 'openai'\nconst client = new OpenAI({ baseURL: 'https://api.deepseek.com', apiKey })\n`,
      ['DeepSeek'],
    ],
    [
      'the Vercel AI SDK',
      'a.ts',
      `import { createOpenAI } from '@ai-sdk/openai'\nconst xai = createOpenAI({ baseURL: 'https://api.x.ai/v1' })\n`,
      ['xAI'],
    ],
    [
      'Go',
      'a.go',
      'package main\n\nimport openai "github.com/sashabaranov/go-openai"\n\nfunc main() {\n\tconfig := openai.DefaultConfig("k")\n\tconfig.BaseURL = "https://api.fireworks.ai/inference/v1"\n\tclient := openai.NewClientWithConfig(config)\n}\n',
      ['Fireworks AI'],
    ],
    [
      'Java',
      'A.java',
      'import com.openai.client.okhttp.OpenAIOkHttpClient;\n\nclass A {\n  Object client = OpenAIOkHttpClient.builder().apiKey("k").baseUrl("https://api.perplexity.ai").build();\n}\n',
      ['Perplexity'],
    ],
    [
      'C#',
      'A.cs',
      'using OpenAI;\n\nclass A {\n  object options = new OpenAIClientOptions { Endpoint = new Uri("https://api.cerebras.ai/v1") };\n}\n',
      ['Cerebras'],
    ],
    [
      'Ruby',
      'a.rb',
      'require "openai"\nclient = OpenAI::Client.new(access_token: "k", uri_base: "https://api.together.xyz/v1")\n',
      ['Together AI'],
    ],
    [
      'PHP',
      'a.php',
      "<?php\nuse OpenAI\\Client;\n$client = \\OpenAI::factory()->withBaseUri('https://api.deepinfra.com/v1/openai')->make();\n",
      ['DeepInfra'],
    ],
    [
      'Rust',
      'a.rs',
      'use async_openai::{config::OpenAIConfig, Client};\n\nfn main() {\n    let config = OpenAIConfig::new().with_api_base("https://api.mistral.ai/v1");\n}\n',
      ['Mistral AI'],
    ],
    [
      'Azure',
      'a.py',
      'from openai import AzureOpenAI\nclient = AzureOpenAI(api_key=key)\n',
      ['Microsoft'],
    ],
    [
      'a local server',
      'a.py',
      'from openai import OpenAI\nclient = OpenAI(base_url="http://localhost:11434/v1", api_key="ollama")\n',
      [],
    ],
  ])(
    'is a usage of the host, not of the vendor of the library: %s',
    async (_, path, text, wanted) => {
      const manifest = '{ "dependencies": { "openai": "5.0.0", "@ai-sdk/openai": "2.0.0" } }'
      const lines = await showServices({
        [path]: text,
        'package.json': path === 'a.ts' ? manifest : '{}',
      })
      expect([...new Set(lines.map((line) => line.split(', ')[1]))]).toEqual(wanted)
    },
  )

  it('with a base from another file', async () => {
    const files = {
      'app/settings.py': 'LLM_URL = "https://api.sambanova.ai/v1"\n',
      'app/client.py':
        'from openai import OpenAI\nfrom app.settings import LLM_URL\nclient = OpenAI(base_url=LLM_URL)\n',
      'requirements.txt': 'openai==1.50.0\n',
    }
    const lines = await showServices(files)
    expect([...new Set(lines.map((line) => line.split(', ')[1]))]).toEqual(['SambaNova'])
  })

  it('leaves the vendor of the library to other clients', async () => {
    const text =
      'from openai import OpenAI\nfast = OpenAI(base_url="https://api.groq.com/openai/v1")\nclient = OpenAI()\n'
    const lines = await showServices({ 'a.py': text })
    expect(lines).toEqual(['a.py, OpenAI, ai-models, import', 'a.py, Groq, ai-models, literal'])
  })
})

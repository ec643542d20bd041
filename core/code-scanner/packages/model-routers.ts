import type { LanguageFamily } from '../model/language.ts'

/** Libraries that select the provider by the name of the model, by the module that code imports. */
const ROUTERS: Readonly<Partial<Record<LanguageFamily, Readonly<Record<string, string>>>>> = {
  python: {
    litellm: 'litellm',
    dspy: 'dspy',
    crewai: 'crewai',
    aisuite: 'aisuite',
    any_llm: 'any-llm-sdk',
    instructor: 'instructor',
    pydantic_ai: 'pydantic-ai',
    'langchain.chat_models': 'langchain',
    'langchain.agents': 'langchain',
    'langchain.embeddings': 'langchain',
    boto3: 'boto3',
  },
  javascript: {
    ai: 'ai',
    langchain: 'langchain',
    '@mastra/core': '@mastra/core',
    'token.js': 'token.js',
  },
  ruby: { ruby_llm: 'ruby_llm' },
  rust: { genai: 'genai' },
}

const TYPES: Readonly<Partial<Record<LanguageFamily, string>>> = {
  python: 'pypi',
  javascript: 'npm',
  ruby: 'gem',
  rust: 'cargo',
}

/** Returns the package URL of the router that a module belongs to; undefined if it is none. */
export function findModelRouter(family: LanguageFamily, module: string): string | undefined {
  for (const [name, library] of Object.entries(ROUTERS[family] ?? {})) {
    const isIt =
      module === name || (module.startsWith(name) && /^(?:[./]|::)/.test(module.slice(name.length)))
    if (isIt) return `pkg:${TYPES[family]}/${library}`
  }
  return undefined
}

import {
  type ImportingLanguage,
  PACKAGE_TYPES,
  type PackageRow,
} from '../../vendors/package-rows.ts'
import type { LanguageFamily } from '../model/language.ts'

/** A library of a framework for one provider of models. */
export interface ProviderPackage {
  readonly package: string
  /** False if the package contains the code for all providers. */
  readonly isOwn: boolean
  readonly family: ImportingLanguage
  /** Imported modules; undefined if they follow from the package name. */
  readonly modules: readonly string[] | undefined
}

/**
 * Packages of frameworks that exist per provider: the package, and modules with other names. `{}` is
 * the provider, `{_}` with underscores, `{-}` without hyphens and underscores. In .NET, only
 * providers with a capital letter count.
 */
const PROVIDER_PACKAGES: readonly (readonly [family: ImportingLanguage, rows: string])[] = [
  [
    'javascript',
    `npm/@ai-sdk/{} npm/@langchain/{} npm/@llamaindex/{} npm/@genkit-ai/{} npm/@mastra/{}`,
  ],
  [
    'python',
    `pypi/langchain-{} pypi/llama-index-llms-{}=llama_index.llms.{_}
    pypi/llama-index-embeddings-{}=llama_index.embeddings.{_}
    pypi/llama-index-vector-stores-{}=llama_index.vector_stores.{_}
    pypi/pydantic-ai=pydantic_ai.models.{_},pydantic_ai.providers.{_}
    pypi/agno=agno.models.{_} pypi/autogen-ext=autogen_ext.models.{_}
    pypi/strands-agents=strands.models.{_} pypi/semantic-kernel=semantic_kernel.connectors.ai.{_}`,
  ],
  [
    'java',
    `maven/dev.langchain4j/langchain4j-{}=dev.langchain4j.model.{-},dev.langchain4j.store.embedding.{-}
    maven/org.springframework.ai/spring-ai-{}=org.springframework.ai.{-},org.springframework.ai.vectorstore.{-}
    maven/org.springframework.ai/spring-ai-starter-model-{}
    maven/org.springframework.ai/spring-ai-starter-vector-store-{}
    maven/org.springframework.ai/spring-ai-{}-spring-boot-starter
    maven/org.springframework.ai/spring-ai-{}-store maven/io.quarkiverse.langchain4j/quarkus-langchain4j-{}`,
  ],
  [
    'go',
    `golang/github.com/tmc/langchaingo/llms/{} golang/github.com/cloudwego/eino-ext/components/model/{}
    golang/github.com/tmc/langchaingo/vectorstores/{}`,
  ],
  [
    'c-sharp',
    `nuget/Microsoft.SemanticKernel.Connectors.{} nuget/Microsoft.Extensions.AI.{}
    nuget/LangChain.Providers.{}`,
  ],
  ['rust', `cargo/rig-core=rig.providers.{_} cargo/rig-{}=rig_{_}`],
  // Drivers of `laravel/ai`, which its configuration names.
  ['php', 'laravel/{}'],
]

/**
 * Libraries for the login with accounts of other vendors, as `PROVIDER_PACKAGES`. `login/{}` is the
 * vendor that a call names: `Socialite::driver('github')`, `provider :github`.
 */
const LOGIN_PACKAGES: typeof PROVIDER_PACKAGES = [
  [
    'javascript',
    `npm/passport-{} npm/next-auth=next-auth/providers/{} npm/@auth/core=@auth/core/providers/{}
    npm/@auth/sveltekit=@auth/sveltekit/providers/{} npm/@auth/express=@auth/express/providers/{}
    npm/@auth/solid-start=@auth/solid-start/providers/{} npm/@auth/qwik=@auth/qwik/providers/{}`,
  ],
  [
    'python',
    `pypi/django-allauth=allauth.socialaccount.providers.{_} pypi/social-auth-core=social_core.backends.{_}
    pypi/flask-dance=flask_dance.contrib.{_} pypi/httpx-oauth=httpx_oauth.clients.{_}
    pypi/fastapi-sso=fastapi_sso.sso.{_} pypi/reauth=reauth.factors.oauth2.{_}`,
  ],
  [
    'go',
    `golang/golang.org/x/oauth2=golang.org/x/oauth2/{}
    golang/github.com/markbates/goth=github.com/markbates/goth/providers/{}`,
  ],
  ['ruby', 'gem/omniauth-{}=omniauth-{},omniauth/{_},omniauth_{_},login/{_}'],
  [
    'php',
    `composer/socialiteproviders/{} composer/league/oauth2-{} composer/laravel/socialite=login/{}
    composer/socialiteproviders/manager=socialiteproviders/{} composer/league/oauth2-client=oauth2/{}`,
  ],
]

/**
 * Lists the libraries of frameworks for the providers of a row, and those for the login with it; of
 * all languages by default.
 */
export function listProviderPackages(
  { providers = [], logins = [] }: PackageRow,
  language?: ImportingLanguage,
): readonly ProviderPackage[] {
  const select = (packages: typeof PROVIDER_PACKAGES) =>
    language === undefined ? packages : packages.filter(([family]) => family === language)
  return [
    ...fillRows(select(PROVIDER_PACKAGES), providers),
    ...fillRows(select(LOGIN_PACKAGES), logins),
  ]
}

function fillRows(
  packages: typeof PROVIDER_PACKAGES,
  providers: readonly string[],
): readonly ProviderPackage[] {
  if (providers.length === 0) return []
  return packages.flatMap(([family, rows]) =>
    rows.split(/\s+/).flatMap((row) => {
      const [name = '', modules] = row.split('=')
      const fitting = providers.filter((each) => (family === 'c-sharp') === /[A-Z]/.test(each))
      return fitting.map((provider) => ({
        package: `pkg:${name.replace('{}', provider)}`,
        isOwn: name.includes('{}'),
        family,
        modules:
          modules === undefined
            ? undefined
            : modules.split(',').map((each) => fill(each, provider)),
      }))
    }),
  )
}

function fill(module: string, provider: string): string {
  return module
    .replace('{}', provider)
    .replace('{_}', provider.replaceAll('-', '_'))
    .replace('{-}', provider.replaceAll(/[-_]/g, ''))
}

/** Libraries that select the provider by the name of the model: imported module, then package. */
const ROUTERS = (
  [
    [
      'python',
      `litellm dspy crewai aisuite any_llm=any-llm-sdk instructor pydantic_ai=pydantic-ai boto3
      langchain.chat_models=langchain langchain.agents=langchain langchain.embeddings=langchain`,
    ],
    ['javascript', 'ai langchain @mastra/core token.js'],
    ['ruby', 'ruby_llm'],
    ['rust', 'genai'],
  ] as const
).flatMap(([family, rows]) =>
  rows.split(/\s+/).map((row) => {
    const [module = '', name = module] = row.split('=')
    return { family, module, package: `pkg:${PACKAGE_TYPES[family][0]}/${name}` }
  }),
)

/** Returns the package URL of the router that a module belongs to; undefined if it is none. */
export function findModelRouter(family: LanguageFamily, module: string): string | undefined {
  const found = ROUTERS.find(
    (router) =>
      router.family === family &&
      module.startsWith(router.module) &&
      /^(?:$|[./]|::)/.test(module.slice(router.module.length)),
  )
  return found?.package
}

import { anyOf } from '../model/name-patterns.ts'
import { byAlias, type ManifestFormat, type PackagePattern } from './pattern.ts'

const SCRIPT_NAMES = byAlias('actions/github-script=github,octokit')

/** Uses of GitHub's API in the scripts of `actions/github-script`, in workflows. */
export const GITHUB_SCRIPT: readonly PackagePattern[] = [
  {
    type: 'githubactions',
    name: new RegExp(
      String.raw`(?<![\w.$/@-])(?<name>github|octokit)\s*\??\.\s*${anyOf`
        rest\b (?=(?:request|paginate)\s*[(.]) (?<call>graphql)(?=\s*[(.])
        (?:issues|pulls|repos|git|checks|actions|reactions|search|teams|orgs|users)\.(?=\w+\()
      `}`,
      'g',
    ),
    calls: { graphql: { path: '/graphql', method: 'post' } },
    names: SCRIPT_NAMES,
  },
  // What a script hands on, or calls by another name: `require('./label.js')({ github, context })`.
  {
    type: 'githubactions',
    sections: [
      /^[ \t]*(?:-[ \t]+)?uses:[ \t]*["']?actions\/github-script@/gm,
      /\n[ \t]*-[ \t]+(?:uses|name|run|id|if|with|env):/g,
    ],
    name: /(?<![\w.$/@'"-])(?<name>github|octokit)(?=[ \t]*(?:[,)}\];[]|\r?$))/gm,
    names: SCRIPT_NAMES,
  },
]

/** Libraries of Android by the settings for them in an app's manifest. */
const ANDROID_SETTINGS = byAlias(`
  com.google.android.gms/play-services-maps=com.google.android.geo.API_KEY
  com.google.android.gms/play-services-maps=com.google.android.maps.v2.API_KEY
  com.google.android.gms/play-services-ads=com.google.android.gms.ads.APPLICATION_ID
  com.google.android.gms/play-services-games=com.google.android.gms.games.APP_ID
  com.google.android.gms/play-services-wallet=com.google.android.gms.wallet.api.enabled
  com.google.android.gms/play-services-cast-framework=com.google.android.gms.cast.framework.OPTIONS_PROVIDER_CLASS_NAME
  com.google.firebase/firebase-analytics=firebase_analytics_collection_enabled
  com.google.firebase/firebase-crashlytics=firebase_crashlytics_collection_enabled
  com.google.firebase/firebase-perf=firebase_performance_collection_enabled
  com.google.firebase/firebase-messaging=firebase_messaging_auto_init_enabled
  com.google.firebase/firebase-messaging=com.google.firebase.messaging.default_notification_channel_id
  com.google.firebase/firebase-messaging=com.google.firebase.MESSAGING_EVENT
  com.facebook.android/facebook-android-sdk=com.facebook.sdk.ApplicationId
  io.sentry/sentry-android=io.sentry.dsn com.bugsnag/bugsnag-android=com.bugsnag.android.API_KEY
  io.branch.sdk.android/library=io.branch.sdk.BranchKey
`)

/** Registries of images and packages in CI. */
export const REGISTRIES: readonly PackagePattern[] = [
  // The registry of a step that logs in, also in a variable.
  {
    type: 'service',
    name: /^[ \t]+(?:registry|[A-Z_]*REGISTRY):[ \t]*["']?(?:https:\/\/)?(?<name>[\w-]+(?:\.[\w-]+)+)(?=["']?[ \t]*(?:#.*)?$)/gm,
  },
  {
    type: 'service',
    name: /^[ \t]+[A-Z_]*(?:REGISTRY|IMAGE|IMAGE_NAME|REPOSITORY):[ \t]*["']?(?<name>[\w-]+(?:\.[\w-]+)+)(?=\/[\w$])/gm,
  },
  // The registry that packages are installed from and published to.
  {
    type: 'service',
    name: /^[ \t]+registry-url:[ \t]*["']?https?:\/\/(?<name>registry\.npmjs\.org)\b/gm,
  },
  // Registries that images are pushed to.
  {
    type: 'service',
    sections: [/^[ \t]+(?:images|tags):/gm, /\n(?=[ \t]*(?:-[ \t]+)?[\w-]+:(?:[ \t]|\r?$))/gm],
    name: /^[ \t]*(?:[|>][+-]?[ \t]*)?["']?(?<name>[\w-]+(?:\.[\w-]+)+)(?=\/[\w$.-])/gm,
  },
]

/** Names of packages in lines of their own: `'@sentry/react-native/expo',`, `["expo-ads", {`. */
export const PLUGINS: PackagePattern = {
  type: 'npm',
  name: /^[ \t]*(?:(?:\[|resolve:|"?(?:plugins|modules)"?:[ \t]*\[)[ \t]*)?['"](?<name>@[\w-]+\/[\w.-]+|\w+(?:-\w+)+)(?:\/[\w/-]+)?['"][ \t]*[,\]\n]/gm,
}

/** Files that configure one service. */
export const SERVICE_FILES: readonly ManifestFormat[] = [
  // Plugins of Expo, Gatsby and Nuxt.
  ['{app,nuxt}.config.{js,ts,mjs} gatsby-config.{js,ts,mjs}', PLUGINS],
  // Sites of documentation.
  [
    '{docusaurus.config,.vitepress/config,theme.config}.{js,mjs,ts,mts}',
    {
      type: 'npm',
      name: /^[ \t]+(?<name>algolia|gtag|googleTagManager)[ \t]*:[ \t]*\{/gm,
      names: byAlias('@docsearch/js=algolia react-ga4=gtag react-gtm-module=googleTagManager'),
    },
  ],
  [
    'AndroidManifest.xml',
    {
      type: 'maven',
      name: /\bandroid:name\s*=\s*"(?<name>[\w.]+)"/g,
      names: ANDROID_SETTINGS,
    },
  ],
  [
    '{crowdin,.crowdin}.{yml,yaml}',
    {
      type: 'service',
      // The first key of the file. Lines before it are read only where a key begins.
      name: /(?=["'\w])(?<=^(?:[ \t]*(?:#.*|---)?\r?\n)*)["']?(?<name>\w+)["']?[ \t]*:/g,
      names: byAlias(`
        crowdin=files,commit_message,append_commit_message,project_id,project_id_env,api_token
        crowdin=api_token_env,base_path,base_path_env,base_url,base_url_env,preserve_hierarchy
        crowdin=pull_request_title,pull_request_labels,export_languages,project_identifier
      `),
    },
  ],
]

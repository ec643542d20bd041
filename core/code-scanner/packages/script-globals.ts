import type { QualifiedPackage } from './qualified-names.ts'

/** Objects that scripts of vendors define for a page, with the API that they call. */
const GLOBALS: readonly (readonly [url: string, names: string])[] = [
  ['https://www.googleapis.com/youtube/v3', 'YT.Player'],
  ['https://maps.googleapis.com', 'google.maps'],
  ['https://www.googleapis.com', 'gapi.client gapi.load google.accounts.id google.accounts.oauth2'],
  ['https://www.google.com/recaptcha/api', 'grecaptcha.execute grecaptcha.render'],
  ['https://graph.facebook.com', 'FB.init FB.api FB.login FB.ui'],
  ['https://api.vimeo.com', 'Vimeo.Player'],
  ['https://api.soundcloud.com', 'SC.Widget SC.initialize'],
  ['https://api.dailymotion.com', 'DM.player dailymotion.createPlayer'],
  ['https://api.twitch.tv/helix', 'Twitch.Player Twitch.Embed'],
  ['https://api-m.paypal.com', 'paypal.Buttons'],
  ['https://api.paystack.co', 'PaystackPop.setup'],
  ['https://production.plaid.com', 'Plaid.create'],
  ['https://connect.squareup.com', 'Square.payments'],
  ['https://api.paddle.com', 'Paddle.Setup Paddle.Initialize Paddle.Checkout'],
  ['https://api.hcaptcha.com', 'hcaptcha.render hcaptcha.execute'],
  ['https://challenges.cloudflare.com', 'turnstile.render turnstile.execute'],
  ['https://appleid.apple.com', 'AppleID.auth'],
  ['https://dapi.kakao.com', 'Kakao.init kakao.maps'],
  ['https://calendly.com', 'Calendly.initInlineWidget Calendly.initPopupWidget'],
  ['https://api.dropboxapi.com', 'Dropbox.choose Dropbox.save'],
]

const BY_NAME: ReadonlyMap<string, string> = new Map(
  GLOBALS.flatMap(([url, names]) => names.split(' ').map((name) => [name, url] as const)),
)

const HEADS = [...new Set([...BY_NAME.keys()].map((name) => name.replace(/\..*/, '.')))]

/** Finds the vendor of a name that a script of its defines: `YT.Player`, `google.maps.Map`. */
export function findScriptGlobal(name: string): QualifiedPackage | undefined {
  const parts = name.replace(/^(?:window|globalThis)\./, '').split('.')
  for (const size of [2, 3]) {
    const url = BY_NAME.get(parts.slice(0, size).join('.'))
    if (url) return { package: `pkg:generic/${parts[0]}`, url, isSure: true }
  }
  return undefined
}

/** Whether a text may use one; cheap, with false positives. */
export function mayUseScriptGlobal(text: string): boolean {
  return HEADS.some((head) => text.includes(head))
}

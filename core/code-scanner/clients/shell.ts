import type { ClientRows } from '../model/client-rows.ts'

/** Callee of the calls that fetch what is installed or run: `bash <(curl -s https://…)`. */
export const INSTALLED = 'installed'

/** Clients of the shell. The language reads their options, and passes `url` and `method` by name. */
export const shellClients: readonly ClientRows[] = [
  {
    rows: `
      GET {curl|wget|http|https|xh|xhs|grpcurl|websocat}(*, method, url)
      GET {Invoke-RestMethod|Invoke-WebRequest|irm|iwr|httpRequest}(*, method, url)
      GET {docker|podman|nerdctl|buildah|helm|mc|git}(*, method, url)
    `,
  },
  { rows: `GET ${INSTALLED}(*, method, url)`, fetchesFile: true },
]

/** The effect of an option: it takes one of these values, decides the method, or pushes an image. */
export type OptionEffect =
  | ('url' | 'method' | 'tag' | 'output' | 'value')
  | ('get' | 'head' | 'post' | 'put' | 'push')

/**
 * Options by effect, of which `get`, `head` and `push` take no value, nor does any other option. `operands`
 * describes the words that are no options: URLs unless stated otherwise.
 */
export interface RequestProgram {
  readonly programs: string
  readonly options: Readonly<Partial<Record<OptionEffect, string>>>
  readonly operands?: 'method url items'
  /**
   * Commands with a URL or an image, by their operands and then their options; others send no request.
   * Images are an operand or the values of `--tag`.
   */
  readonly forms?: readonly string[]
  /** What the URL of such a command has to contain. */
  readonly needs?: RegExp
}

export const REQUEST_PROGRAMS: readonly RequestProgram[] = [
  {
    programs: 'curl',
    options: {
      url: '--url',
      method: '-X --request',
      get: '-G --get',
      head: '-I --head',
      post: `-d -F --data --data-raw --data-binary --data-urlencode --data-ascii --form --form-string
        --json`,
      put: '-T --upload-file',
      value: `-A -b -c -C -D -e -E -h -H -K -m -o -P -r -t -u -U -w -x -y -Y -z --header --user
        --user-agent --output --output-dir --cookie --cookie-jar --cert --cert-type --key --key-type
        --cacert --capath --connect-timeout --max-time --retry --retry-delay --retry-max-time
        --write-out --referer --proxy --proxy-user --proxy-header --resolve --config --range
        --interface --limit-rate --oauth2-bearer --aws-sigv4 --max-redirs --unix-socket
        --dump-header --continue-at --ciphers --tls-max --tls13-ciphers --pass --engine --stderr
        --trace --trace-ascii --variable --connect-to --dns-servers --noproxy --time-cond
        --speed-time --speed-limit --keepalive-time --max-filesize --pinnedpubkey --doh-url
        --etag-save --etag-compare --url-query --proto --proto-default --netrc-file --socks5
        --socks5-hostname --parallel-max --rate --crlfile --expect100-timeout --local-port`,
    },
  },
  {
    programs: 'wget',
    options: {
      method: '--method',
      post: '--post-data --post-file --body-data --body-file',
      value: `-O -o -P -t -T -U -a -i -w -Q -B -e --output-document --header --user --password
        --user-agent --tries --timeout --directory-prefix --output-file --referer --waitretry
        --load-cookies --save-cookies --ca-certificate --execute --http-user --http-password`,
    },
  },
  {
    programs: 'http https xh xhs',
    options: {
      value: `-A -a -o -s -r -p -P --auth --auth-type --output --session --session-read-only
        --timeout --proxy --verify --cert --cert-key --print --style --pretty --bearer --raw
        --boundary --ssl --max-redirects --response-charset`,
    },
    operands: 'method url items',
  },
  {
    programs: 'Invoke-RestMethod Invoke-WebRequest irm iwr',
    options: {
      url: '-uri',
      method: '-method',
      value: `-headers -body -contenttype -outfile -infile -useragent -timeoutsec -credential
        -maximumretrycount -retryintervalsec -sessionvariable -websession -form -token
        -authentication -maximumredirection -proxy -certificate -errorvariable -erroraction`,
    },
  },
  // A step of Jenkins.
  {
    programs: 'httpRequest',
    options: {
      url: '-url',
      method: '-httpMode',
      value: `-contentType -requestBody -customHeaders -authentication -validResponseCodes
        -acceptType -outputFile -quiet -consoleLogResponseBody -timeout -responseHandle`,
    },
  },
  // Registries of images and charts, and stores of objects.
  {
    programs: 'docker podman nerdctl buildah',
    options: {
      tag: '-t --tag',
      output: '-o --output',
      push: '--push',
      value: `-u -p --username --password --platform -f --file --target --build-arg --label
        --cache-from --cache-to --builder --secret`,
    },
    forms: [
      ...['login url', 'push image', 'manifest create image', 'manifest push image'],
      ...['buildx build --push --tag', 'buildx imagetools create --tag'],
    ],
  },
  {
    programs: 'helm',
    options: { value: '-u -p --username --password --ca-file --cert-file --key-file -n' },
    forms: ['repo add * url', 'registry login url'],
  },
  // Fixed repositories are sources, those of users and with credentials belong to a service.
  {
    programs: 'git',
    options: {
      value: '-C -c -b --branch --depth -o --origin -j --jobs --filter --reference -u',
    },
    forms: [
      ...['clone url', 'push url', 'fetch url', 'pull url', 'ls-remote url'],
      ...['remote add * url', 'remote set-url * url', 'remote set-url url'],
    ],
    needs: /^https?:\/\/(?:[^/]*@|.*\{\})/,
  },
  { programs: 'mc', options: {}, forms: ['alias set * url', 'config host add * url'] },
  {
    programs: 'grpcurl',
    options: {
      value: '-d -H -proto -import-path -protoset -cacert -cert -key -max-time -authority',
    },
  },
  { programs: 'websocat', options: { value: '-H --header --protocol --basic-auth --origin' } },
]

import { anyOf } from '../model/name-patterns.ts'
/** Whether a host never belongs to an API: this machine, unknown or invalid hosts. */
export function isNoHost(host: string): boolean {
  return NO_HOSTS.some((one) => one.test(host))
}

/** Whether a host belongs to an API only if it is catalogued: private, reserved, made up. */
export function isReservedHost(host: string): boolean {
  return RESERVED_HOSTS.some((one) => one.test(host))
}

/** Whether a possible host is the name of a file: `script.sh`, `config.rs`. */
export function isFileName(host: string): boolean {
  return FILE_NAME.test(host)
}

const FILE_NAME = new RegExp(
  String.raw`\.${anyOf`
    js mjs cjs ts tsx jsx json py rb php java cs rs go html? css md txt ya?ml xml toml lock png
    jpe?g svg gif vue svelte log sh exe dll conf cfg ini env proto sql csv pdf zip tar gz
  `}$`,
)

const NO_HOSTS: readonly RegExp[] = [
  // This machine and special addresses (RFC 6761, RFC 5735).
  /^(?:.*\.)?localhost(?:\.(?:com|local|localdomain))?$|^host\.docker\.internal$|^(?:127|0)\.|^255\.|^22[4-9]\.|^\[::1?\]$/,
  /^your\.[a-z\d-]+\.[a-z]+$/,
  // Unknown hosts.
  /^(?:\{\}|\*)(?:\.(?:\{\}|\*))*$|^\{\}\.(?:(?:com?|org|net|gov|edu|ac|or|ne|go|gob)\.)?[a-z]{2,}$|^[.{}*-]+$/,
  // Unknown domains.
  /\{\}\.\{\}$|^www\.\{\}$/,
  // API groups of Kubernetes.
  /(?:^|\.)x-k8s\.io$/,
  new RegExp(
    String.raw`(?:^|\.)${anyOf`
      admissionregistration apiextensions apiregistration authentication authorization certificates
      coordination discovery events flowcontrol metrics networking node resource scheduling storage
    `}\.k8s\.io$`,
  ),
  // Incomplete addresses and version numbers: `{}.0.0.1`, `1.2.3`.
  /^(?!(?:\d{1,3}\.){3}\d{1,3}$)(?:.*\.)?\d+$/,
  /^(?=.*\d)(?:[\d{}*]+\.){3}[\d{}*]*[{}*][\d{}*]*$/,
]

const RESERVED_HOSTS: readonly RegExp[] = [
  // Names of private networks (RFC 8375); see also `isPrivateHost`.
  /\.home\.arpa$/,
  // Names without a dot: services of a cluster, placeholders.
  /^[^.]*$/,
  // Examples and tests (RFC 6761, RFC 2606).
  /(?:^|\.)(?:examples?[a-z]*\.(?:com|net|org|edu)|example\.[a-z]{2})$|\.onion$/,
  // Private addresses (RFC 1918, RFC 3927, RFC 5737, RFC 6598).
  /^10\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\.|^\[/,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^192\.0\.[02]\.|^198\.51\.100\.|^203\.0\.113\./,
  // Made-up names.
  /^(?:my|your)-custom-|^your-[a-z\d-]+\.[a-z]+$/,
  new RegExp(
    String.raw`(?:^|\.|-(?=${anyOf`test example sample demo fake mock dummy`}))${anyOf`
    your? my some any the our test example sample demo fake mock dummy
  `}-?(?:own-?)?${anyOf`
    domain site app server company host hostname api name website url endpoint instance org
    organization service project store shop tenant subdomain vault cluster account workspace
    bucket backend team
  `}(?:-?name|-?here|\d+)?\.(?:[a-z]+\.)*[a-z]+$`,
  ),
  new RegExp(
    String.raw`(?:^|\.)${anyOf`
    foo bar baz foobar dummy changeme placeholder yourdomain mydomain somedomain mycompany
    yourcompany domain hostname website something whatever acme-?corp
  `}\.${anyOf`com org net io co dev app tld local xyz ai cloud`}$`,
  ),
  new RegExp(
    String.raw`^(?!x\.com$)${anyOf`
    foo bar baz a b c x y z abc xyz host example site domain test evil attacker malicious
  `}\.${anyOf`com org net io co dev bar foo tld baz app`}$`,
  ),
]

/** Hosts of pages rather than APIs, with exceptions. */
export interface NoiseHost {
  readonly host: RegExp
  /** Matches the whole URL. */
  readonly except?: RegExp
}

/** Hosts whose URLs in texts are links, namespaces or assets. */
export const NOISE_HOSTS: readonly NoiseHost[] = [
  // Namespaces, schemas, vocabularies.
  {
    host: new RegExp(
      String.raw`(?:^|\.)${anyOf`
    w3\.org xmlsoap\.org json-schema\.org schema\.org openxmlformats\.org purl\.org xmlns\.com
    oauth\.net ogp\.me oasis-open\.org opengis\.net omg\.org dublincore\.org schemastore\.org ietf\.org
    iana\.org jcp\.org java\.sun\.com xml\.org relaxng\.org docbook\.org sitemaps\.org gmpg\.org
    inkscape\.org sodipodi\.sourceforge\.net a9\.com aspectj\.org rfc-editor\.org unicode\.org
    my\.netscape\.com cyclonedx\.org spdx\.org openapis\.org swagger\.io
  `}$`,
    ),
  },
  {
    host: /^(?:schemas?|xmlns|ns|dtd|namespaces?|json\.schemastore|www\.springframework|maven)\./,
    except: /\/(?:api|maven2|v\d)\//,
  },
  {
    host: new RegExp(
      `^${anyOf`
    ns\.adobe\.com www\.springframework\.org maven\.apache\.org xml\.apache\.org
    schemas\.microsoft\.com schemas\.android\.com hibernate\.sourceforge\.net
    logging\.apache\.org
  `}$`,
    ),
  },
  // Documentation, help, communities.
  {
    host: new RegExp(
      String.raw`^${anyOf`
    docs? documentation dashboard console help support developers? dev learn wiki blog guides?
    community forums? status kb faq man manual tutorials? handbook news about legal careers jobs
    discuss news press learn
  `}\d*\.`,
    ),
    except: new RegExp(
      String.raw`^https?:\/\/${anyOf`developers? dev support help community status discuss`}\.[^/]+\/${anyOf`api rest v\d graphql oauth`}(?:[/?.]|$)|^https?:\/\/dev\.azure\.com\/|\/api\/v?\d|\.json(?:\?|$)`,
      'i',
    ),
  },
  {
    host: new RegExp(
      String.raw`(?:^|\.)${anyOf`
    readthedocs\.(?:io|org) gitbook\.io rtfd\.io docs\.rs pkg\.go\.dev godoc\.org javadoc\.io
    mozilla\.org wikipedia\.org wikimedia\.org stackoverflow\.com stackexchange\.com medium\.com
    dev\.to reddit\.com youtube\.com youtu\.be twitter\.com x\.com facebook\.com linkedin\.com
    instagram\.com t\.me discord\.gg patreon\.com liberapay\.com ko-fi\.com opencollective\.com
    buymeacoffee\.com npmjs\.com npmjs\.org trace\.playwright\.dev pypi\.org rubygems\.org packagist\.org crates\.io
    nuget\.org mvnrepository\.com unpkg\.com jsdelivr\.net jspm\.io esm\.sh skypack\.dev
    deno\.land jsr\.io cdnjs\.com cdnjs\.cloudflare\.com bootstrapcdn\.com shields\.io
    badgen\.net badge\.fury\.io travis-ci\.(?:org|com) codecov\.io coveralls\.io gitter\.im
    caniuse\.com can\.ac nodejs\.org python\.org golang\.org go\.dev ruby-lang\.org php\.net
    rust-lang\.org typescriptlang\.org reactjs\.org react\.dev vuejs\.org angular\.io
    nextjs\.org vitejs\.dev eslint\.org prettier\.io babeljs\.io webpack\.js\.org jestjs\.io
    opensource\.org gnu\.org apache\.org creativecommons\.org choosealicense\.com
    mit-license\.org gravatar\.com placeholder\.com placehold\.it placekitten\.com
    picsum\.photos unsplash\.com imgur\.com fontawesome\.com fonts\.googleapis\.com
    fonts\.gstatic\.com google-analytics\.com\/analytics\.js googletagmanager\.com gstatic\.com
    bit\.ly goo\.gl git\.io tinyurl\.com aka\.ms msdn\.com learn\.microsoft\.com npm\.im
    yarnpkg\.com arxiv\.org doi\.org semver\.org keepachangelog\.com conventionalcommits\.org
    editorconfig\.org adr\.github\.io apps\.apple\.com play\.google\.com
    chromewebstore\.google\.com chrome\.google\.com addons\.mozilla\.org apps\.microsoft\.com
    testflight\.apple\.com open\.spotify\.com imdb\.com speakerdeck\.com slideshare\.net
  `}$`,
    ),
    except: new RegExp(
      String.raw`^https?:\/\/(?:\w+\.)?${anyOf`
    api graph oauth registry hooks login upload management export data services? rest stream
  `}[.\w-]*\.|\/${anyOf`
    api w\/api\.php rest_v1 wp-json graphql oauth2? packages\/api pypi\/[^/]+\/json
  `}(?:[/?]|$)|\.json(?:\?|$)`,
      'i',
    ),
  },
  {
    host: /^(?:(?:www|go|techcommunity|azure|marketplace|apps|dotnet|visualstudio|download)\.)?microsoft\.com$/,
  },
  // Maps and searches for people.
  {
    host: /^(?:www|maps)\.google\.[a-z.]+$/,
    except: /^https?:\/\/[^/]+\/(?!(?:maps(?:\/(?:search|place|dir|@)|\/?\?)|search\?))/,
  },
  // Names of scopes of OAuth.
  { host: /^www\.googleapis\.com$/, except: /^https?:\/\/[^/]+\/(?!auth\/)/ },
  // Messages and channels for people.
  { host: /^(?:www\.|app\.)?slack\.com$/, except: /^(?!.*\/(?:archives|client)\/)/ },
  // Documents and forms for people.
  { host: /^(?:drive|docs|takeout)\.google\.com$/, except: /\/(?:export|gviz|uc|feeds|pub\?)\b/ },
  // Code hosts: pages, not their APIs.
  {
    host: new RegExp(
      String.raw`^(?:www\.|gist\.)?${anyOf`
    github\.com githubusercontent\.com gitlab\.com bitbucket\.org codeberg\.org sourceforge\.net
    codesandbox\.io stackblitz\.com codepen\.io jsfiddle\.net repl\.it replit\.com glitch\.com
  `}$`,
    ),
    // Branches and data of repositories are read by programs.
    except:
      /\/(?:api|login\/oauth|oauth|graphql)(?:[/?]|$)|\/raw\/[^/]+\/(?:$|.*\.(?:json|ya?ml|csv|txt)$)/,
  },
  // Images and schemas of repositories; other files are data of programs.
  {
    host: /^raw\.githubusercontent\.com$/,
    except:
      /^https?:\/\/[^/]+\/(?!.*(?:\/(?:assets?|images?|icons?|img|logos?|schemas?)\/|schema[\w.-]*\.json))[^/]+\/./i,
  },
  {
    host: /^(?:avatars|camo|user-images)\.githubusercontent\.com$|\.github\.io$|\.gitlab\.io$|\.(?:netlify|vercel)\.app$/,
    except: /\/api\//,
  },
  {
    host: /^(?:cdn|static|assets?|images?|img|media|fonts?|badges?|pics?)\d*[.-](?!apis?[.-])/,
    except: /\/(?:api|v\d+|graphql|upload)(?:[/?]|$)/,
  },
]

/** Paths of documents and assets, regardless of the host. */
export const NOISE_PATHS: readonly RegExp[] = [
  new RegExp(
    String.raw`\.${anyOf`
    png jpe?g gif svg webp ico bmp css scss less m?js map html? xhtml pdf docx? md txt woff2?
    ttf eot otf mp[34] webm ogg wav zip tgz gz tar bz2 xz jar whl gem exe dmg msi deb rpm apk
    iso wasm xsd dtd rng rdf owl xsl wsdl\.html
  `}(?:[?#].*)?$`,
    'i',
  ),
  new RegExp(
    String.raw`^\/${anyOf`
    docs? documentation help support wiki blog guides? manuals? faq tutorials? learn articles?
    legal privacy terms tos license licenses pricing about contact careers changelog releases?
    downloads? questions issues kb reference api-?docs? api-reference swagger-ui redoc community
    forum signup sign-up login\.html
  `}(?:[/?#]|$)`,
    'i',
  ),
  /\/(?:docs|documentation|wiki|api-?docs?|api-reference|reference\/api|issues\/\d+|blob|tree|releases\/tag|badge|badges|swagger-ui)(?:[/?#]|$)/i,
  /^\/(?:users\/)?(?:log|sign)[-_]?(?:in|up)\/?$/i,
  // A page that asks for a permission, unlike an authorization request (RFC 6749 4.1.1).
  /\/authorize\?(?!(?:[^#]{0,500}&)?(?:client_id|response_type)=)/i,
  /#[\w-]*[a-z][\w-]*(?:$|=)|#!?\//i,
  // Links with campaign parameters are for people.
  /[?&](?:amp;)?utm_(?:source|medium|campaign|content|term)=/i,
]

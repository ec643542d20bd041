import { describe, expect, it } from 'vitest'
import type { TreeLanguage } from '../../../core/code-scanner/model/syntax.ts'
import { showFound } from './shown.ts'

const LANGUAGES: Readonly<Record<string, TreeLanguage>> = {
  go: 'go',
  java: 'java',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  ts: 'typescript',
}

/** Scans files. Returns findings as file, line and URL. */
async function findUrls(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const [path = ''] = Object.keys(files)
  const language = LANGUAGES[path.slice(path.lastIndexOf('.') + 1)]
  if (!language) throw new Error(`Cannot scan ${path}: no language`)
  const found = await showFound(language, files)
  return found.map((line) => line.replace(/ \w+ \S+ /, ' '))
}

describe('hosts without a scheme', () => {
  it('count where a scheme is added later, whatever their names below the domain', async () => {
    const text = `class Geo(Base):
    def __init__(self, *, domain='geoly.com', auth_domain='www.geoly.net', mail_domain='geoly.org'):
        self.api = '%s://%s%s' % (self.scheme, domain, '/v1/geocode')
        self.auth_api = f'{self.scheme}://{auth_domain}/token'
`
    expect(await findUrls({ 'a.py': text })).toEqual([
      'a.py:2 geoly.com',
      'a.py:2 www.geoly.net',
      'a.py:3 https://geoly.com/v1/geocode',
      'a.py:4 https://www.geoly.net/token',
    ])
  })

  it('have none in the report if they may be called otherwise', async () => {
    const text = `Redis(host="acme-1.upstash.io", port=6379)
connect(host="db.abcd.supabase.co")
MQTT_HOST = "api.eu.iotly.com:8883"
API_HOST = "api.iotly.com:8443"
`
    expect(await findUrls({ 'a.py': text })).toEqual([
      'a.py:1 acme-1.upstash.io',
      'a.py:2 db.abcd.supabase.co',
      'a.py:3 api.eu.iotly.com:8883',
      'a.py:4 https://api.iotly.com:8443',
    ])
  })

  it('count where another file adds the scheme', async () => {
    const files = {
      'config.ts': `export const settings = { host: 'chatly.com', mailDomain: 'maily.com' }`,
      'client.ts': `import { settings } from './config'\nfetch(\`https://\${settings.host}/v1\`)`,
    }
    expect(await findUrls(files)).toEqual([
      'client.ts:2 https://chatly.com/v1',
      'config.ts:1 chatly.com',
    ])
  })

  it('count where they are the host of the API of a known vendor', async () => {
    const text = `OPTIONS = { api_host: 'slack.com', domain: 'https://gitlab.com' }
link = 'https://gitlab.com'
`
    expect(await findUrls({ 'a.rb': text })).toEqual([
      'a.rb:1 slack.com',
      'a.rb:1 https://gitlab.com',
    ])
  })
})

describe('options with a host and a path', () => {
  it('are requests only in functions that send', async () => {
    const text = `route(host='api.geoly.com', path='/v1/pages', method='GET')
send(host='api.geoly.com', path='/v1/places', method='GET')
`
    expect((await findUrls({ 'a.py': text })).filter((line) => line.includes('/v1'))).toEqual([
      'a.py:2 https://api.geoly.com/v1/places',
    ])
  })
})

describe('defaults of settings', () => {
  it('count by the name of the setting', async () => {
    const go = `package a

func settings(y *Config) *Settings {
	flag.StringVar(&addr, "endpoint", "https://traces.trackly.com", "see https://trackly.com")
	return &Settings{
		apiURL: y.UString("apiURL", "https://pingly.com/"),
		page:   y.UString("help", "https://helply.com/start"),
	}
}
`
    expect(await findUrls({ 'a.go': go })).toEqual([
      'a.go:4 https://traces.trackly.com',
      'a.go:6 https://pingly.com/',
    ])
    const java = `class A {
  String fx = Optional.ofNullable(System.getenv("FX_URL")).orElse("https://fx.ratesly.com/latest");
  String home = System.getProperty("home.page", "https://ratesly.net");
}
`
    expect(await findUrls({ 'A.java': java })).toEqual(['A.java:2 https://fx.ratesly.com/latest'])
  })

  it('are what calls of other files go to', async () => {
    const files = {
      'env.ts': `import { z } from 'zod'
const schema = z.object({ PAY: z.string().url().default('https://payly.com') })
export const env = schema.parse(process.env)
export const geo = config.get<string>('geo.baseUrl', 'https://geoly.io')
export const search = configService.get('SEARCH_HOST') || 'search.indexly.com'
`,
      'client.ts': `import axios from 'axios'
import { env, geo } from './env'
axios.post(\`\${env.PAY}/charges\`)
axios.create({ baseURL: geo }).get('/places')
`,
    }
    expect(await findUrls(files)).toEqual([
      'client.ts:3 https://payly.com/charges',
      'client.ts:4 https://geoly.io/places',
      'env.ts:2 https://payly.com',
      'env.ts:4 https://geoly.io',
      'env.ts:5 search.indexly.com',
    ])
  })

  it('of Rails go by what its configuration is called elsewhere', async () => {
    const files = {
      'config/application.rb': `class App < Rails::Application
  config.x.shipping.base_url = ENV.fetch('SHIPPING', 'https://shiply.com/v2')
end
`,
      'app/a.rb': `Faraday.get("#{Rails.configuration.x.shipping.base_url}/rates")
Faraday.get("#{Rails.application.config.x.shipping.base_url}/labels")
`,
    }
    expect(await findUrls(files)).toEqual([
      'app/a.rb:1 https://shiply.com/v2/rates',
      'app/a.rb:2 https://shiply.com/v2/labels',
      'config/application.rb:2 https://shiply.com/v2',
    ])
  })
})

describe('hosts by their names', () => {
  it('count where the name says API, unlike those of images', async () => {
    const text = `IMAGES_BASE_URL = "https://images-api.geoly.com"
PICTURES_BASE_URL = "https://images.geoly.com"
`
    expect(await findUrls({ 'a.py': text })).toEqual(['a.py:1 https://images-api.geoly.com'])
  })

  it('count in a group of mirrors', async () => {
    const text = `export const defaults = {
  mirrors: { tides: 'https://tides.to', maps: 'https://maps.st' },
  'mirror.winds': 'https://winds.cc',
  pages: { tides: 'https://tides.to/about' },
}
`
    expect(await findUrls({ 'a.ts': text })).toEqual([
      'a.ts:2 https://tides.to',
      'a.ts:2 https://maps.st',
      'a.ts:3 https://winds.cc',
    ])
  })
})

describe('links', () => {
  it('count beside a called site, and in defaults of settings', async () => {
    const files = {
      'a.py': `SITE_URLS = ['https://www.tides.top/', 'https://www.tides.tw/']
requests.get(SITE_URLS[0] + 'rss.xml')
PAGE_URLS = ['https://www.maps.top/', 'https://www.maps.tw/']
schema = {'url': {'default': 'https://push.sh/'}, 'website': {'default': 'https://shop.sh/'}}
WATCH_URLS = {'video.clips.io', 'music.clips.io'}
`,
    }
    expect(await findUrls(files)).toEqual([
      'a.py:1 https://www.tides.top/',
      'a.py:1 https://www.tides.tw/',
      'a.py:2 https://www.tides.top/rss.xml',
      'a.py:4 https://push.sh/',
    ])
  })

  it('count with another query than that of a call, unlike pages and headers', async () => {
    const files = {
      'a/Urls.java': `class Urls {
  public static final String SEARCH_URL = "https://tides.io/v1/";
  private static final String FEED_BASE = "https://www.tides.com/feeds.xml?user=";
}
`,
      'a/Search.java': `import static a.Urls.SEARCH_URL;
class Search {
  void run(OkHttpClient client) {
    client.get(SEARCH_URL + "next?pretty=false");
    client.get("https://www.tides.com/feeds.xml?id=" + id);
    client.get("https://www.waves.com/watch?id=" + id);
    headers.put("Origin", "https://www.tides.com");
  }
  Page next() { return new Page(SEARCH_URL + "next?" + token); }
  String getBaseUrl() { return "https://www.ebbs.com"; }
}
`,
      'a/WaveExternalUrlProvider.java': `class WaveExternalUrlProvider implements UrlProvider {
  String getUrl(String id) { return "https://www.waves.com/watch?id=" + id; }
  String getApi(String id) { return "https://api.waves.com/v1/" + id; }
}
`,
    }
    expect(await findUrls(files)).toEqual([
      'a/Search.java:4 https://tides.io/v1/next?pretty=false',
      'a/Search.java:5 https://www.tides.com/feeds.xml?id={}',
      'a/Search.java:6 https://www.waves.com/watch?id={}',
      'a/Search.java:9 https://tides.io/v1/next?{}',
      'a/Urls.java:2 https://tides.io/v1/',
      'a/Urls.java:3 https://www.tides.com/feeds.xml?user=',
      'a/WaveExternalUrlProvider.java:3 https://api.waves.com/v1/{}',
    ])
  })

  it('fill paths of the class that a constant constructs', async () => {
    const text = `class Instance {
  static final Instance DEFAULT = new Instance("https://frames.org", "Frames");
  private final String url;
  Instance(String url, String name) { this.url = url; }
  void load() { Net.getDownloader().get(url + "/api/v1/config"); }
}
`
    expect(await findUrls({ 'a.java': text })).toEqual([
      'a.java:2 https://frames.org',
      'a.java:5 https://frames.org/api/v1/config',
    ])
  })

  it('are authorization requests, unlike pages that ask for a permission', async () => {
    const text = `openUrl("https://tides.io/oauth/authorize?client_id=" + id)
openUrl("https://waves.io/auth/authorize?request_token=" + token)
`
    expect(await findUrls({ 'a.ts': text })).toEqual([
      'a.ts:1 https://tides.io/oauth/authorize?client_id={}',
    ])
  })

  it('count where a call of another file builds on them', async () => {
    const files = {
      'a.go': `package a

const (
	iconURL = "https://weatherly.org/img/w/%s"
	logoURL = "https://weatherly.org/logo/%s"
)
`,
      'b.go': `package a

func icon(name string) { http.Get(fmt.Sprintf(iconURL, name)) }
func old(c *Client) { c.http.Get(fmt.Sprintf(iconURL, "old")) }
`,
    }
    expect(await findUrls(files)).toEqual([
      'a.go:4 https://weatherly.org/img/w/{}',
      'b.go:3 https://weatherly.org/img/w/{}',
      'b.go:4 https://weatherly.org/img/w/{}',
    ])
  })

  it('do not count where a browser opens what is built of them', async () => {
    const text = `package a

func (s *Source) open() {
	baseURL := "https://trackly.com/n/projects/"
	ticketURL := fmt.Sprintf("%s%s", baseURL, s.id)
	utils.OpenFile(ticketURL)
	buildURL := "https://trackly.com/v1/builds/" + s.id
	exec.Command("xdg-open", buildURL).Start()
}

func item(task Task) *Item {
	return &Item{ID: task.ID, Name: task.Name, URL: fmt.Sprintf("https://trackly.com/0/%s/f", task.ID)}
}
`
    expect(await findUrls({ 'a.go': text })).toEqual([])
  })
})

describe('paths of requests that are described apart from their host', () => {
  const config = `package com.acme.internal;
public class EndpointConfig {
  public String hostName = "https://maps.traily.io";
  public EndpointConfig(String path) { this.path = path; }
}
`
  it('are below the host of the class that is constructed, or of a setter', async () => {
    const files = {
      'src/com/acme/internal/EndpointConfig.java': config,
      'src/com/acme/Roads.java':
        'class Roads { static final String BASE = "https://roads.traily.io"; }',
      'src/com/acme/Speed.java': `package com.acme;
import com.acme.internal.EndpointConfig;
class Speed {
  static final EndpointConfig CONFIG =
      new EndpointConfig("/v1/speed")
          .hostName(Roads.BASE);
  static final EndpointConfig TILES = new EndpointConfig("/v1/tiles").verb("POST");
  static final File CACHE = new File("/v1/cache");
}
`,
    }
    expect(await findUrls(files)).toEqual([
      'src/com/acme/Roads.java:1 https://roads.traily.io',
      'src/com/acme/Speed.java:5 https://roads.traily.io/v1/speed',
      'src/com/acme/Speed.java:7 https://maps.traily.io/v1/tiles',
      'src/com/acme/internal/EndpointConfig.java:3 https://maps.traily.io',
    ])
  })

  it('are found in the classes that say them, below the one that sends', async () => {
    const files = {
      'base.py': `import requests

class BaseRequest:
    host = "https://api.taskly.com"
    path = None

    def send(self):
        return requests.get(self.host + self.path)
`,
      'tasks.py': `from base import BaseRequest

class ListTasks(BaseRequest):
    path = "/v2/tasks"

class ListUsers(BaseRequest):
    path = "/v2/users"
`,
    }
    const found = await findUrls(files)
    expect(found.filter((line) => line.startsWith('tasks.py'))).toEqual([
      'tasks.py:4 https://api.taskly.com/v2/tasks',
      'tasks.py:7 https://api.taskly.com/v2/users',
    ])
  })

  it('are found by names of modules within a file', async () => {
    const text = `mod consts { pub const BASE: &str = "https://api.coinly.com"; }
struct Api { client: reqwest::Client }
impl Api {
    async fn get(&self, path: &str) -> Result<Response> {
        self.client.get(format!("{}{}", consts::BASE, path)).send().await
    }
    async fn accounts(&self) -> Result<Response> { self.get("/v1/accounts").await }
}
`
    expect(await findUrls({ 'a.rs': text })).toEqual([
      'a.rs:1 https://api.coinly.com',
      'a.rs:5 https://api.coinly.com/{}',
      'a.rs:7 https://api.coinly.com/v1/accounts',
    ])
  })
})

describe('defaults of parameters', () => {
  it('apply unless a caller passes another base', async () => {
    const files = {
      'tides.py': `import requests
SEA = 'https://api.seatime.io'

def get(path, base='https://api.tidely.io'):
    return requests.get(base + path)

def post(path, base=None):
    base = base or 'https://api.tidely.io'
    return requests.post(f'{base}{path}')

get('/ports')
get('/seas', base=SEA)
post('/ports', 'https://api.portly.io/v2')
`,
      'run.py': `from tides import get, SEA
get('/runs', SEA)
get('/all')
`,
    }
    const script = `async function load(path: string, options: { base?: string } = {}) {
  const base = options.base ?? 'https://api.tidely.io'
  return fetch(base + path)
}
load('/ports')
load('/seas', { base: 'https://api.seatime.io' })
`
    const found = [...(await findUrls(files)), ...(await findUrls({ 'b.ts': script }))]
    expect(found.filter((each) => /\w\/\w+$/.test(each))).toEqual([
      'run.py:2 https://api.seatime.io/runs',
      'run.py:3 https://api.tidely.io/all',
      'tides.py:11 https://api.tidely.io/ports',
      'tides.py:12 https://api.seatime.io/seas',
      'tides.py:13 https://api.portly.io/v2/ports',
      'b.ts:5 https://api.tidely.io/ports',
      'b.ts:6 https://api.seatime.io/seas',
    ])
  })
})

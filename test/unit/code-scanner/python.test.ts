import { describe, expect, it } from 'vitest'
import { python } from '../../../core/code-scanner/languages/python.ts'
import { showCalls, showFound, showLowered } from './shown.ts'

const shown = (text: string) => showLowered({ language: 'python', lower: python.lower, text })

describe('Python is lowered', () => {
  it('keeps classes, fields, properties, defaults and what methods give back', async () => {
    const text = `from .config import BASE as B, PATH
import os.path, requests as r
class Client(Base, metaclass=Meta):
    url: str = Field('https://a.io', description='see https://docs.a.io')
    session: requests.Session
    def __init__(self, base=None, path: str = '/x'):
        self.base = (base or B).rstrip('/')
    @property
    def root(self):
        """Docs at https://docs.a.io"""
        return self.base + path
`
    expect(await shown(text)).toEqual([
      'class Client in 0 Base',
      'function __init__ in 1 base path',
      'function root in 1',
      'import .config BASE B',
      'import .config PATH PATH',
      'import os.path * os.path',
      'import requests * r',
      '3: constant out Client@0 = ?',
      '4: field out this.url@1 = "https://a.io"',
      '5: field out this.session@1 = requests.Session()',
      '6: parameter-default path@2 = "/x"',
      '7: field this.base@2 = (base | B)',
      '11: return return@3 = (this.base + path)',
      '9: field this.root@1 = this.root()',
      '4: documentation "see https://docs.a.io"',
      '10: documentation "Docs at https://docs.a.io"',
    ])
  })

  it('builds texts of all its ways to build them', async () => {
    const text = `a = f'{x}/{y!r:>3}{{z}}'
b = 'a' "b" f'{c}'
c = '{}/{n}'.format(x, n=y)
d = '%s/%s' % (x, y)
e = '%(a)s' % {'a': x}
f = '/'.join([x, 'y'])
g = urljoin(x, 'y')
h = os.path.join(x, 'y')
i = os.environ.get('A', 'https://a.io')
j = x if z else y
k = D['a']['b']
l = D[x]
m = URL(x) / 'y'
m += 'z'
n = ', '.join([x, y])
`
    expect(await shown(text)).toEqual([
      '1: variable out a@0 = (x + "/" + y + "{z}")',
      '2: variable out b@0 = ("a" + "b" + c)',
      '3: variable out c@0 = format("{}/{n}", x, n=y)',
      '4: variable out d@0 = format("%s/%s", x, y)',
      '5: variable out e@0 = format("%(a)s", a=x)',
      '6: variable out f@0 = path(x, "y")',
      '7: variable out g@0 = path(x, "y")',
      '8: variable out h@0 = path(x, "y")',
      '9: variable out i@0 = (os.environ.A | "https://a.io")',
      '10: variable out j@0 = (x | y)',
      '11: variable out k@0 = D.a.b',
      '12: variable out l@0 = D.*',
      '13: variable out m@0 = path(x, "y")',
      '14: variable out m@0 = (m + "z")',
      '15: variable out n@0 = (x + ", " + y)',
    ])
  })

  it('tells messages, links and comparisons from calls', async () => {
    const text = `raise ValueError('https://a.io')
logger.info('https://b.io', get('https://c.io'))
webbrowser.open('https://d.io')
assert x == 'https://e.io'
x.startswith('https://f.io')
parser.add_argument('--url', help='https://g.io')
f(x, help='https://h.io')
`
    expect(await shown(text)).toEqual([
      '2: call@0 get("https://c.io")',
      '7: call@0 f(x)',
      '1: error "https://a.io"',
      '2: documentation "https://b.io"',
      '3: link "https://d.io"',
      '4: error "https://e.io"',
      '5: error "https://f.io"',
      '6: documentation "--url"',
      '6: documentation "https://g.io"',
      '7: documentation "https://h.io"',
    ])
  })

  it('binds what with, for and := name, and calls what executors call', async () => {
    const text = `with C() as c, open(x):
    c.get('/a')
for p in ['/a', '/b']: f(p)
if (n := g()): n.h()
pool.submit(requests.get, 'https://a.io')
getattr(requests, m)('https://b.io')
handle.setopt(pycurl.URL, 'https://c.io')
`
    expect(await shown(text)).toEqual([
      '1: variable out c@0 = C()',
      '3: variable p@0 = ("/a" | "/b")',
      '4: variable out n@0 = g()',
      '1: call@0 C()',
      '1: call@0 open(x)',
      '2: call@0 c.get("/a")',
      '3: call@0 f(p)',
      '4: call@0 g()',
      '4: call@0 n.h()',
      '5: call@0 pool.submit(requests.get, "https://a.io")',
      '5: call@0 requests.get("https://a.io")',
      '6: call@0 getattr(requests, m)',
      '6: call@0 requests.request(m, "https://b.io")',
      '7: call@0 pycurl.URL("https://c.io")',
    ])
  })
})

describe('Python keeps apart', () => {
  it('parameters and the marks between them, names of a chain, defaults and their types', async () => {
    const text = `class C:
    a = b = 'https://a.io'
    def f(self, /, x, *, y: Client = None, **more): pass
`
    expect(await shown(text)).toEqual([
      'class C in 0',
      'function f in 1 x y more',
      '1: constant out C@0 = ?',
      '2: field out this.b@1 = "https://a.io"',
      '2: field out this.a@1 = this.b',
      '3: variable y@2 = Client()',
    ])
  })

  it('strings for people in dictionaries, and calls of methods that are chosen by name', async () => {
    const text = `x = {'help': 'see https://a.io', 'url': 'https://b.io'}
getattr(client, 'get')('/a')
'{a}/x'.format_map({'a': b})
TABLE['k']('/b')
`
    expect(await shown(text)).toEqual([
      '1: variable out x@0 = {url="https://b.io"}',
      '2: call@0 client.get("/a")',
      '4: call@0 TABLE.k("/b")',
      '1: documentation "see https://a.io"',
      '3: other format("{a}/x", a=b)',
    ])
  })
})

describe('clients of Python', () => {
  it.each([
    ['import requests as r\nr.put("https://api.a.io/v1")', 'put https://api.a.io/v1'],
    ['from requests import get\nget("https://api.a.io/v1")', 'get https://api.a.io/v1'],
    ['s = requests.Session()\ns.patch("https://api.a.io/v1")', 'patch https://api.a.io/v1'],
    ['c = httpx.Client(base_url="https://api.a.io")\nc.post("/v1")', 'post https://api.a.io/v1'],
    ['from urllib.request import urlopen\nurlopen("https://api.a.io")', 'get https://api.a.io'],
    ['urllib3.PoolManager().request("PUT", "https://api.a.io")', 'put https://api.a.io'],
    [
      'c = http.client.HTTPSConnection("api.a.io")\nc.request("GET", "/v1")',
      'get https://api.a.io/v1',
    ],
    ['s = BaseUrlSession("https://api.a.io")\ns.head("v1")', 'head https://api.a.io/v1'],
    ['aiohttp.ClientSession("https://api.a.io").get("/v1")', 'get https://api.a.io/v1'],
    ['AsyncHTTPClient().fetch("https://api.a.io", method="PUT")', 'put https://api.a.io'],
    ['websockets.connect("wss://api.a.io/ws")', 'get wss://api.a.io/ws'],
    ['grequests.get("https://api.a.io")', 'get https://api.a.io'],
    ['pd.read_json("https://api.a.io/v1")', 'get https://api.a.io/v1'],
    ['ServerProxy = xmlrpc.client.ServerProxy("https://api.a.io")', 'post https://api.a.io'],
    ['def f(session):\n  session.delete("https://api.a.io/v1")', 'delete https://api.a.io/v1'],
  ])('reads %j', async (text, expected) => {
    expect(await showCalls('a.py', text)).toEqual([expected])
  })

  it('follows names, objects and classes of other modules', async () => {
    const files = {
      'app/config.py': `class Settings:\n    url: str = 'https://api.a.io'\nsettings = Settings()\nV = '/v1'\n`,
      'app/client.py': `import requests\nfrom . import config\nfrom .config import settings\ndef fetch(path):\n    return requests.get(settings.url + config.V + path)\n`,
      'app/use.py': `from app.client import fetch\nfetch('/users')\n`,
    }
    expect(await showFound('python', files)).toEqual([
      'app/client.py:5 call get https://api.a.io/v1{}',
      'app/config.py:2 base - https://api.a.io',
      'app/use.py:2 call get https://api.a.io/v1/users',
    ])
  })

  it('puts inherited requests below the base of the class that inherits them', async () => {
    const files = {
      'app/base.py': `class Base:\n    base_url = None\n    def _get(self, path):\n        return requests.get(self.base_url + path)\n`,
      'app/client.py': `from .base import Base\nclass Client(Base):\n    base_url = 'https://api.a.io'\n    def users(self):\n        return self._get('/users')\n`,
      'app/other.py': `class Above:\n    def _get(self, path):\n        return requests.get(self.base_url + path)\nclass Below(Above):\n    def __init__(self):\n        super().__init__('https://api.b.io')\n    def users(self):\n        return self._get('/users')\n`,
    }
    expect(await showFound('python', files)).toEqual([
      'app/client.py:3 base - https://api.a.io',
      'app/client.py:5 call get https://api.a.io/users',
      'app/other.py:6 literal - https://api.b.io',
      'app/other.py:8 call get https://api.b.io/users',
    ])
  })
})

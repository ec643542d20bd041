import { describe, expect, it } from 'vitest'
import { ruby } from '../../../core/code-scanner/languages/ruby.ts'
import { showCalls, showFound, showLowered } from './shown.ts'

const shown = (text: string) => showLowered({ language: 'ruby', lower: ruby.lower, text })

describe('Ruby is lowered', () => {
  it('keeps classes, constants, instance variables, readers and what methods give back', async () => {
    const text = `require_relative 'config'
module A
  class Client < Base::Thing
    URL = 'https://a.io'.freeze
    def initialize(base: URL, path = '/x')
      @base = base || ENV.fetch('A', 'https://b.io')
    end
    def root
      "#{@base}/v1"
    end
    def users(id)
      return root + id
    end
  end
end
`
    expect(await shown(text)).toEqual([
      'class A in 0',
      'class Client in 1 Base.Thing',
      'function initialize in 2 base path',
      'function root in 2',
      'function users in 2 id',
      'import ./config * *',
      '2: constant out A@0 = ?',
      '4: constant out URL@2 = "https://a.io"',
      '5: parameter-default base@3 = URL',
      '5: parameter-default path@3 = "/x"',
      '6: field this.base@3 = (base | ENV.A | "https://b.io")',
      '6: return return@3 = this.base',
      '9: return return@4 = (this.base + "/v1")',
      '8: field this.root@2 = this.root()',
      '12: return return@5 = (this.root + id)',
    ])
  })

  it('builds texts of all its ways to build them', async () => {
    const text = `a = "#{x}/y"
b = 'a' "b"
c = '%s/%s' % [x, y]
d = format('%s', x)
e = [x, 'y'].join('/')
f = File.join(x, 'y')
g = URI.join(x, 'y')
h = URI("#{x}")
i = z ? x : y
j = D[:a]['b']
k = <<~URL.strip
  https://a.io/#{x}
URL
l << 'z'
m = URI::HTTPS.build(host: 'a.io', path: '/x')
n = D.dig(:a, :b)
`
    expect(await shown(text)).toEqual([
      '1: variable out a@0 = (x + "/y")',
      '2: variable out b@0 = "ab"',
      '3: variable out c@0 = format("%s/%s", x, y)',
      '4: variable out d@0 = format("%s", x)',
      '5: variable out e@0 = path(x, "y")',
      '6: variable out f@0 = path(x, "y")',
      '7: variable out g@0 = path(x, "y")',
      '8: variable out h@0 = x',
      '9: variable out i@0 = (x | y)',
      '10: variable out j@0 = D.a.b',
      '11: variable out k@0 = ("https://a.io/" + x + "")',
      '14: variable out l@0 = (l + "z")',
      '15: variable out m@0 = path(("https" + "://" + "a.io"), "/x")',
      '16: variable out n@0 = D.a.b',
    ])
  })

  it('tells messages, links and comparisons from calls', async () => {
    const text = `raise Error, 'https://a.io' unless get('https://b.io')
logger.info('https://c.io')
Launchy.open('https://d.io')
x.start_with?('https://e.io')
x == 'https://f.io'
puts 'https://g.io'
`
    expect(await shown(text)).toEqual([
      '1: call@0 this.get("https://b.io")',
      '1: error "https://a.io"',
      '2: documentation "https://c.io"',
      '3: link "https://d.io"',
      '4: error "https://e.io"',
      '5: error "https://f.io"',
      '6: documentation "https://g.io"',
    ])
  })
})

describe('Ruby has values', () => {
  it('of conditions, of blocks of readers, and of members with the name of a part of a URL', async () => {
    const text = `a = if x then '/a' else '/b' end
b = options.fetch(:url) { 'https://a.io' }
c = config.host
d = uri.host
config.host = 'b.io'
e, f = 'c', "d\\n"
g = "e\\t#{h}"
client.get("#{a}/x").then { |response| response.headers['next'] }
`
    expect(await shown(text)).toEqual([
      'function in 0',
      '1: variable out a@0 = ("/a" | "/b")',
      '2: variable out b@0 = (options.url | "https://a.io")',
      '3: variable out c@0 = config.host',
      '4: variable out d@0 = uri',
      '5: entry out config.host@0 = "b.io"',
      '6: variable out e@0 = "c"',
      '6: variable out f@0 = "d\\n"',
      '7: variable out g@0 = ("e" + "\\t" + h)',
      '8: variable response@1 = client.get((a + "/x")).then()',
      '8: call@0 client.get((a + "/x"))',
      '8: call@0 client.get((a + "/x")).then()',
    ])
  })

  it('of here-documents, each with its own text', async () => {
    const text = `get(<<~A, <<~B)
  https://a.io
A
  https://b.io/#{c}
B
`
    expect(await shown(text)).toEqual([
      '1: call@0 this.get("https://a.io", ("https://b.io/" + c + ""))',
    ])
  })
})

describe('clients of Ruby', () => {
  it.each([
    ['Net::HTTP.get(URI("https://api.a.io/v1"))', 'get https://api.a.io/v1'],
    ['Net::HTTP.post_form(URI.parse("https://api.a.io/v1"), {})', 'post https://api.a.io/v1'],
    ['Net::HTTP.start("api.a.io", 443) { |h| h.get("/v1") }', 'get https://api.a.io/v1'],
    ['u = URI("https://api.a.io/v1")\nr = Net::HTTP::Put.new(u)', 'put https://api.a.io/v1'],
    ['c = Faraday.new(url: "https://api.a.io")\nc.patch("/v1")', 'patch https://api.a.io/v1'],
    ['Faraday.new("https://api.a.io").run_request(:put, "/v1")', 'put https://api.a.io/v1'],
    ['c = Faraday.new("https://api.a.io")\nc.post { |r| r.url "/v1" }', 'post https://api.a.io/v1'],
    ['HTTParty.delete("https://api.a.io/v1")', 'delete https://api.a.io/v1'],
    [
      'class A\n include HTTParty\n base_uri "https://api.a.io"\n def a = self.class.get("/v1")\nend',
      'get https://api.a.io/v1',
    ],
    ['RestClient::Request.execute(method: :put, url: "https://api.a.io")', 'put https://api.a.io'],
    ['HTTP.auth("x").post("https://api.a.io/v1")', 'post https://api.a.io/v1'],
    ['HTTP.persistent("https://api.a.io").get("/v1")', 'get https://api.a.io/v1'],
    ['Excon.new("https://api.a.io").get(path: "/v1")', 'get https://api.a.io/v1'],
    ['Typhoeus.get("https://api.a.io/v1")', 'get https://api.a.io/v1'],
    ['URI.open("https://api.a.io/v1")', 'get https://api.a.io/v1'],
    ['"https://api.a.io/v1".read', 'get https://api.a.io/v1'],
    ['HTTParty.send(:put, "https://api.a.io/v1")', 'put https://api.a.io/v1'],
    ['def a(client)\n  client.post("https://api.a.io/v1")\nend', 'post https://api.a.io/v1'],
  ])('reads %j', async (text, expected) => {
    expect(await showCalls('a.rb', text)).toEqual([expected])
  })

  it('reads the Ruby of ERB, and nothing of the markup', async () => {
    const text = `<a href="https://api.a.io/v1">a</a>
<%= HTTParty.get('https://api.b.io/v1') %><%# https://api.c.io/v1 %>
`
    expect(await showFound('ruby', { 'a.html.erb': text })).toEqual([
      'a.html.erb:2 call get https://api.b.io/v1',
    ])
  })

  it('follows constants of modules of other files', async () => {
    const files = {
      'lib/config.rb': `module A\n  module Config\n    URL = 'https://api.a.io'\n  end\nend\n`,
      'lib/use.rb': `HTTParty.get("#{A::Config::URL}/v1")\n`,
    }
    expect(await showFound('ruby', files)).toEqual([
      'lib/config.rb:3 base - https://api.a.io',
      'lib/use.rb:1 call get https://api.a.io/v1',
    ])
  })

  it('follows methods of modules that a class includes', async () => {
    const files = {
      'concerns/tides.rb': `module Tides
  BASE = URI('https://api.a.io/v1/').freeze
  def tide_request(method, path)
    Faraday.new.run_request(method, BASE + path, nil, {})
  end
end
`,
      'jobs/harbour.rb': `class Harbour < Job
  include Tides
  def run
    tide_request(:post, 'harbours/list')
  end
end
`,
      'jobs/other.rb': `class Other < Job
  def run
    tide_request(:post, 'others/list')
  end
end
`,
    }
    const found = await showFound('ruby', files)
    expect(found).toContain('jobs/harbour.rb:4 call post https://api.a.io/v1/harbours/list')
    expect(found.filter((one) => one.startsWith('jobs/other.rb'))).toEqual([])
  })
})

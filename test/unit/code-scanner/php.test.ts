import { describe, expect, it } from 'vitest'
import { php } from '../../../core/code-scanner/languages/php.ts'
import { showCalls, showFound, showLowered } from './shown.ts'

const shown = (text: string) =>
  showLowered({ language: 'php', lower: php.lower, text: `<?php\n${text}` })

describe('PHP is lowered', () => {
  it('keeps classes, constants, properties, promoted parameters and imports', async () => {
    const text = `namespace A;
use GuzzleHttp\\{Client, Psr7\\Request as R};
require __DIR__ . '/config.php';
define('BASE', 'https://a.io');
class Api extends Base {
  const V = self::ROOT . '/v1';
  private static $url = 'https://b.io';
  private ?Client $client;
  function __construct(private string $base = BASE, $x = null) {
    $this->client = new Client(['base_uri' => static::$url]);
  }
  function get($id) { return "{$this->base}/x/$id"; }
}
`
    expect(await shown(text)).toEqual([
      'class Api in 0 Base',
      'function __construct in 1 base x',
      'function get in 1 id',
      'import GuzzleHttp Client Client',
      'import GuzzleHttp\\Psr7 Request R',
      'import ./config * *',
      '5: constant out BASE@0 = "https://a.io"',
      '6: constant out Api@0 = ?',
      '7: constant out this.V@1 = (this.ROOT + "/v1")',
      '8: field out this.url@1 = "https://b.io"',
      '9: field out this.client@1 = new Client()',
      '10: parameter-default base@2 = BASE',
      '10: field this.base@2 = base',
      '11: field this.client@2 = new Client({base_uri=this.url})',
      '13: return return@3 = (this.base + "/x/" + id)',
      '5: call@0 define("BASE", "https://a.io")',
      '11: call@2 new Client({base_uri=this.url})',
    ])
  })

  it('builds texts of all its ways to build them', async () => {
    const text = `$a = "$x/{$y['z']}/$o->p";
$b = X . '/y' . $z;
$c = sprintf('%s/%s', $x, $y);
$d = implode('/', [$x, 'y']);
$e = env('A', 'https://a.io');
$f = $x ?: 'https://a.io';
$g = $x ?? $y;
$h = $z ? $x : $y;
$i = <<<URL
https://a.io/$x
URL;
$j .= 'z';
$k = match ($z) { 1 => $x, default => $y };
$l = config('a.b.c', $x);
$m = Foo::BAR['baz'];
[$n, $o] = [$x, $y];
`
    expect(await shown(text)).toEqual([
      'import config/a * config.a',
      '2: variable out a@0 = (x + "/" + y.z + "/" + o.p)',
      '3: variable out b@0 = (X + "/y" + z)',
      '4: variable out c@0 = format("%s/%s", x, y)',
      '5: variable out d@0 = path(x, "y")',
      '6: variable out e@0 = (ENV.A | "https://a.io")',
      '7: variable out f@0 = (x | "https://a.io")',
      '8: variable out g@0 = (x | y)',
      '9: variable out h@0 = (x | y)',
      '10: variable out i@0 = ("https://a.io/" + x)',
      '13: variable out j@0 = (j + "z")',
      '14: variable out k@0 = (x | y)',
      '15: variable out l@0 = (config.a.b.c | x)',
      '16: variable out m@0 = Foo.BAR.baz',
      '17: variable out n@0 = x',
      '17: variable out o@0 = y',
    ])
  })

  it('tells messages, links, comparisons and markup from calls', async () => {
    const text = `throw new E('https://a.io', f('https://b.io'));
Log::info('https://c.io');
header('Location: https://d.io');
if (strpos($x, 'https://e.io') === 0) {}
echo 'https://f.io';
?>
<a href="https://g.io">g</a>
`
    expect(await shown(text)).toEqual([
      '2: call@0 f("https://b.io")',
      '2: error "https://a.io"',
      '3: documentation "https://c.io"',
      '4: link "Location: https://d.io"',
      '5: error "https://e.io"',
      '6: link "https://f.io"',
      '8: link "<a href=\\"https://g.io\\">g</a>\\n"',
    ])
  })
})

describe('clients of PHP', () => {
  it.each([
    ['$c = curl_init("https://api.a.io/v1");', 'get https://api.a.io/v1'],
    [
      '$c = curl_init("https://api.a.io/v1"); curl_setopt($c, CURLOPT_POST, false);',
      'get https://api.a.io/v1',
    ],
    [
      'curl_setopt_array($c, [CURLOPT_URL => "https://api.a.io", CURLOPT_POST => FALSE, CURLOPT_NOBODY => 0]);',
      'get https://api.a.io',
    ],
    [
      '$c = curl_init(); curl_setopt($c, CURLOPT_URL, "https://api.a.io/v1"); curl_setopt($c, CURLOPT_POST, 1);',
      'post https://api.a.io/v1',
    ],
    [
      'curl_setopt_array($c, [CURLOPT_URL => "https://api.a.io", CURLOPT_CUSTOMREQUEST => "PUT"]);',
      'put https://api.a.io',
    ],
    [
      '$o = [CURLOPT_URL => "https://api.a.io", CURLOPT_POST => false]; curl_setopt_array($c, $o);',
      'get https://api.a.io',
    ],
    ['file_get_contents("https://api.a.io/v1");', 'get https://api.a.io/v1'],
    [
      '$o = ["http" => ["method" => "PUT"]]; file_get_contents("https://api.a.io", false, stream_context_create($o));',
      'put https://api.a.io',
    ],
    [
      '$c = new GuzzleHttp\\Client(["base_uri" => "https://api.a.io"]); $c->get("v1");',
      'get https://api.a.io/v1',
    ],
    ['(new Client())->requestAsync("POST", "https://api.a.io/v1");', 'post https://api.a.io/v1'],
    [
      '$c = HttpClient::createForBaseUri("https://api.a.io"); $c->request("GET", "/v1");',
      'get https://api.a.io/v1',
    ],
    ['Http::withToken("x")->put("https://api.a.io/v1");', 'put https://api.a.io/v1'],
    ['Http::baseUrl("https://api.a.io")->get("/v1");', 'get https://api.a.io/v1'],
    [
      'class A { function __construct(HttpClientInterface $c) { $this->c = $c->withOptions(["base_uri" => "https://api.a.io"]); } function b() { $this->c->request("GET", "/v1"); } }',
      'get https://api.a.io/v1',
    ],
    [
      'Http::withOptions(["base_uri" => "https://api.a.io"])->delete("/v1");',
      'delete https://api.a.io/v1',
    ],
    ['wp_remote_post("https://api.a.io/v1", []);', 'post https://api.a.io/v1'],
    ['wp_remote_request("https://api.a.io", ["method" => "DELETE"]);', 'delete https://api.a.io'],
    ['Requests::get("https://api.a.io/v1");', 'get https://api.a.io/v1'],
    ['new SoapClient("https://api.a.io/v1.wsdl");', 'post https://api.a.io/v1.wsdl'],
    ['function a($client) { $client->patch("https://api.a.io/v1"); }', 'patch https://api.a.io/v1'],
    ['$client->$method("https://api.a.io/v1");', '- https://api.a.io/v1'],
  ])('reads %j', async (text, expected) => {
    expect(await showCalls('a.php', `<?php\n${text}`)).toEqual([expected])
  })

  it('takes what is put behind a URL that is called for no use of its own', async () => {
    const text = `<?php\n$url = 'https://api.a.io/v1';\n$url .= '/users';\nfile_get_contents($url);\n$other = 'https://api.b.io/v1';\n$other .= '/users';\n`
    expect(await showFound('php', { 'a.php': text })).toEqual([
      'a.php:2 base - https://api.a.io/v1',
      'a.php:4 call get https://api.a.io/v1/users',
      'a.php:5 literal - https://api.b.io/v1',
      'a.php:6 literal - https://api.b.io/v1/users',
    ])
  })

  it('takes links that count who follows them for none', async () => {
    const text = `<?php\n$links = ['api' => 'https://shop.io/v1/?utm_source=plugin', 'pro_url' => 'https://shop.io/api?a=b&amp;utm_medium=link'];\n`
    expect(await showFound('php', { 'a.php': text })).toEqual([])
  })

  it('reads the scripts of pages that templates render', async () => {
    const page = `<script src="https://cdn.a.io/x.js"></script>
<script>
  fetch('https://api.a.io/v1/{{ $id }}/x', { method: 'POST' })
  axios.get("https://api.b.io/<?php echo $a['b']; ?>/y")
  fetch('<%= root %>/z')
</script>
`
    expect(await showFound('php', { 'a.blade.php': page, 'b.html.erb': page })).toEqual([
      'a.blade.php:3 call post https://api.a.io/v1/{}/x',
      'a.blade.php:4 call get https://api.b.io/{}/y',
      'b.html.erb:3 call post https://api.a.io/v1/{}/x',
      'b.html.erb:4 call get https://api.b.io/{}/y',
    ])
  })

  it('takes neither fields of test cases nor content for the base of a path', async () => {
    const toClass = (above: string) => `<?php
class Lamps extends ${above} {
  public $url = 'https://api.a.io/v1';
  function a() { $this->client->request('GET', '/new'); }
  function b() { $this->client->request('POST', '/lamps', ['url' => 'https://b.io/x']); }
}
`
    expect(await showFound('php', { 'a.php': toClass('Connector') })).toEqual([
      'a.php:3 base - https://api.a.io/v1',
      'a.php:4 call get https://api.a.io/v1/new',
      'a.php:5 call post https://api.a.io/v1/lamps',
    ])
    expect(await showFound('php', { 'tests/a.php': toClass('HarbourTestCase') })).toEqual([])
  })

  it('follows configuration files and constants of other namespaces', async () => {
    const files = {
      'config/services.php': `<?php\nreturn ['a' => ['url' => 'https://api.a.io']];\n`,
      'src/Hosts.php': `<?php\nnamespace App;\nclass Hosts { const B = 'https://api.b.io'; }\n`,
      'src/Use.php': `<?php\nuse App\\Hosts;\nHttp::get(config('services.a.url') . '/v1');\nHttp::get(Hosts::B . '/v1');\n`,
    }
    expect(await showFound('php', files)).toEqual([
      'config/services.php:2 base - https://api.a.io',
      'src/Hosts.php:3 literal - https://api.b.io',
      'src/Use.php:3 call get https://api.a.io/v1',
      'src/Use.php:4 call get https://api.b.io/v1',
    ])
  })
})

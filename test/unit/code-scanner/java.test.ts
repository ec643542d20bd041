import { describe, expect, it } from 'vitest'
import { java } from '../../../core/code-scanner/languages/java.ts'
import { showFound, showLowered } from './shown.ts'

const shown = (text: string) => showLowered({ language: 'java', lower: java.lower, text })

describe('Java is read', () => {
  it('keeps constants, fields, defaults, enums and what methods give back', async () => {
    const text = `package a;
import com.acme.Urls;
import static com.acme.Urls.BASE;

class Client extends Parent {
  static final String HOME = BASE + "/home";
  @Value("\${client.url:https://a.io}") private String url;
  private final RestTemplate rest;
  Client(String url, RestTemplate rest) { this.url = url; }
  enum Region { EU("https://eu.a.io"); Region(String base) {} }
  String users(long id) { return url + HOME + id; }
}
`
    expect(await shown(text)).toEqual([
      'class Client in 0 Parent',
      'function Client in 1 url rest',
      'class Region in 1',
      'function Region in 3 base',
      'function users in 1 id',
      'import com.acme.Urls Urls Urls',
      'import com.acme.Urls Urls.BASE BASE',
      '5: constant out Client@0 = ?',
      '6: constant out Client.HOME@0 = (BASE + "/home")',
      '7: field this.url@1 = "https://a.io"',
      '8: field this.rest@1 = new RestTemplate()',
      '9: variable rest@2 = new RestTemplate()',
      '9: field this.url@2 = url',
      '10: constant out Region@0 = ?',
      '10: constant out Region.EU.base@0 = "https://eu.a.io"',
      '10: field this.base@3 = "https://eu.a.io"',
      '11: return return@5 = (this.url + Client.HOME + id)',
    ])
  })

  it('builds texts of all its ways to build them', async () => {
    const text = `class A {
  void f(String x) {
    var a = String.format("%s/y", x);
    var b = MessageFormat.format("{0}/y", x);
    var c = UriComponentsBuilder.fromHttpUrl("https://a.io").path("/x").queryParam("q", x).toUriString();
    var d = new HttpUrl.Builder().scheme("https").host("a.io").addPathSegment("x").build();
    var e = URI.create(x).resolve("/y");
    var g = System.getProperty("a", "https://a.io");
    var h = new StringBuilder("https://a.io").append("/x").toString();
    var i = x == null ? "https://a.io" : x;
    var j = new URI("https", "a.io", "/x", null);
    var k = """
      https://a.io/\\
      x""";
  }
}
`
    expect(await shown(text)).toEqual([
      'class A in 0',
      'function f in 1 x',
      '1: constant out A@0 = ?',
      '3: variable a@2 = format("%s/y", x)',
      '4: variable b@2 = format("{0}/y", x)',
      '5: variable c@2 = path("https://a.io", "/x")',
      '6: variable d@2 = path(("https" + "://" + "a.io"), "x")',
      '7: variable e@2 = path(x, "/y")',
      '8: variable g@2 = ("https://a.io")',
      '9: variable h@2 = ("https://a.io" + "/x")',
      '10: variable i@2 = ("https://a.io" | x)',
      '11: variable j@2 = path(("https" + "://" + "a.io"), "/x")',
      '12: variable k@2 = "https://a.io/x"',
      '6: call@2 new HttpUrl.Builder()',
      '6: call@2 new HttpUrl.Builder().scheme("https")',
    ])
  })

  it('reads annotations of clients, and none of servers', async () => {
    const text = `@FeignClient(name = "a", url = "https://a.io")
interface Api {
  @GetMapping("/x/{id}") @Operation(description = "see https://a.io/docs") String x(String id);
}
`
    expect(await shown(text)).toEqual([
      'class Api in 0',
      'function x in 1 id',
      '1: constant out Api@0 = ?',
      '1: call@0 @FeignClient(name="a", url="https://a.io")',
      '3: call@1 @FeignClient(name="a", url="https://a.io")@GetMapping("/x/{id}")',
      '3: documentation "see https://a.io/docs"',
    ])
  })

  it('tells texts for people and browsers from others', async () => {
    const text = `class A {
  void f() throws Exception {
    log.info("https://a.io/log");
    Desktop.getDesktop().browse(URI.create("https://a.io/open"));
    assert x : "https://a.io/assert";
    if (x.equals("a") || y == "https://a.io/compared") throw new IOException("https://a.io/error");
  }
}
`
    expect(await shown(text)).toEqual([
      'class A in 0',
      'function f in 1',
      '1: constant out A@0 = ?',
      '4: call@2 Desktop.getDesktop()',
      '6: call@2 x.equals("a")',
      '3: documentation "https://a.io/log"',
      '4: link "https://a.io/open"',
      '5: error "https://a.io/assert"',
      '6: error "https://a.io/compared"',
      '6: error "https://a.io/error"',
    ])
  })

  it('knows constants of other files and clients that are injected', async () => {
    const files = {
      'com/acme/Urls.java': `package com.acme;
public class Urls {
  public static final String USERS = "https://api.users.io/v1";
}
`,
      'com/acme/Users.java': `package com.acme;
class Users {
  private final RestTemplate rest;
  Users(RestTemplate rest) { this.rest = rest; }
  String all() { return rest.getForObject(Urls.USERS + "/users", String.class); }
}
`,
      'com/acme/UsersController.java': `@RestController
class UsersController {
  @GetMapping("/users") String all() { return ""; }
}
`,
    }
    expect(await showFound('java', files)).toEqual([
      'com/acme/Urls.java:3 literal - https://api.users.io/v1',
      'com/acme/Users.java:5 call get https://api.users.io/v1/users',
    ])
  })

  it('resolves the values of switches, and of settings that records read', async () => {
    const files = {
      'application.yml': 'payments:\n  base-url: https://api.pay.io\n',
      'a/PaymentsProperties.java': `package a;
@ConfigurationProperties(prefix = "payments")
public record PaymentsProperties(String baseUrl) {}
`,
      'a/Clients.java': `package a;
class Clients {
  private final String base;
  private final RestClient client;
  Clients(Env env, RestClient.Builder builder, PaymentsProperties properties) {
    this.base = switch (env) {
      case PROD -> "https://api.sms.io";
      default -> throw new IllegalStateException("https://no.sms.io");
    };
    this.client = builder.baseUrl(properties.baseUrl()).build();
  }
  static String host(Region region) {
    return switch (region) {
      case EU: yield "https://eu.data.io";
      default: yield "https://us.data.io";
    };
  }
  Object a() { return HttpRequest.newBuilder().uri(URI.create(base + "/a")).POST(body()).build(); }
  Object b(Region r) { return HttpRequest.newBuilder(URI.create(host(r) + "/b")).GET().build(); }
  Object c() { return client.put().uri("/c").retrieve(); }
}
`,
    }
    const found = await showFound('java', files)
    expect(found.filter((line) => line.includes(' call '))).toEqual([
      'a/Clients.java:18 call post https://api.sms.io/a',
      'a/Clients.java:19 call get https://eu.data.io/b',
      'a/Clients.java:20 call put https://api.pay.io/c',
    ])
  })

  it('resolves settings of nested objects', async () => {
    const files = {
      'application.yml': 'payment:\n  provider:\n    endpoint: https://api.pay.io/v3\n',
      'a/PaymentProperties.java': `package a;
@ConfigurationProperties(prefix = "payment")
public record PaymentProperties(Provider provider) { public record Provider(String endpoint) {} }
`,
      'a/Pay.java': `package a;
class Pay {
  private final RestClient client;
  Pay(PaymentProperties props) { this.client = RestClient.create(props.provider().endpoint()); }
  void a() { client.post().uri("/charges").retrieve(); }
}
`,
      'a/Refund.java': `package a;
class Refund {
  private final PaymentProperties props;
  private final RestTemplate rest;
  Refund(PaymentProperties props, RestTemplate rest) { this.props = props; this.rest = rest; }
  Object a() { return rest.getForObject(props.getProvider().getEndpoint() + "/refunds", String.class); }
}
`,
    }
    const found = await showFound('java', files)
    expect(found.filter((line) => line.includes(' call '))).toEqual([
      'a/Pay.java:5 call post https://api.pay.io/v3/charges',
      'a/Refund.java:6 call get https://api.pay.io/v3/refunds',
    ])
  })

  it('reads a variable that gets a value from itself', async () => {
    const files = {
      'Log.java': `class Log {
  void show(Throwable thrown) {
    Throwable cause = thrown.getCause();
    while (cause != null) {
      thrown = cause;
      cause = cause.getCause();
    }
    client.get("https://api.waves.io/" + cause.getMessage());
  }
}
`,
    }
    expect(await showFound('java', files)).toEqual(['Log.java:8 call get https://api.waves.io/{}'])
  })

  it('knows hosts without a scheme, and paths of URIs with an unknown host', async () => {
    const files = {
      'Harbor.java': `class Harbor {
  private static final String DEFAULT_API_HOST = "harbors.io";
  private static final String MAIL_HOST = "mail.harbors.io";
  private static final String TITLE_HOST = "titles.io";
  void piers(String name) throws Exception {
    URL url = new URI("https", null, "quays.io", -1, String.format("/v1/piers/%s", name), null, null).toURL();
    new Request.Builder().url(url).build();
  }
}
`,
    }
    expect(await showFound('java', files)).toEqual([
      'Harbor.java:2 base - harbors.io',
      'Harbor.java:6 base - https://quays.io/v1/piers/{}',
      'Harbor.java:7 call get https://quays.io/v1/piers/{}',
    ])
  })
})

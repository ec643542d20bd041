import { describe, expect, it } from 'vitest'
import { go } from '../../../core/code-scanner/languages/go.ts'
import { showFound, showLowered } from './shown.ts'

const shown = (text: string) => showLowered({ language: 'go', lower: go.lower, text })

describe('Go is read', () => {
  it('keeps imports, constants, types, their defaults and what functions give back', async () => {
    const text = `package a

import (
	"net/http"
	r "github.com/go-resty/resty/v2"
	"github.com/google/go-github/v66/github"
)

const base, path = "https://a.io", \`/x\`

type Client struct {
	URL  string \`env:"U" default:"https://b.io"\`
	http *http.Client
}

func New(url string) *Client {
	home := "https://c.io"
	return &Client{URL: home, http: &http.Client{}}
}

func (c *Client) users(id string) string {
	c.URL += "/v1"
	return c.URL + path + id
}
`
    expect(await shown(text)).toEqual([
      'class Client in 0',
      'function New in 0 url',
      'function users in 1 id',
      'import net/http * http',
      'import github.com/go-resty/resty/v2 * r',
      'import github.com/google/go-github/v66/github * github',
      '9: constant out base@0 = "https://a.io"',
      '9: constant out path@0 = "/x"',
      '11: constant out Client@0 = ?',
      '12: field this.URL@1 = "https://b.io"',
      '13: field this.http@1 = new http.Client()',
      '16: constant out New@0 = ?',
      '17: variable home@2 = "https://c.io"',
      '18: field this.URL@2 = home',
      '18: field this.http@2 = new http.Client()',
      '18: return return@2 = new Client(URL=home, http=new http.Client())',
      '22: field this.URL@3 = (this.URL + "/v1")',
      '23: return return@3 = (this.URL + path + id)',
      '18: call@2 new Client(URL=home, http=new http.Client())',
      '18: call@2 new http.Client()',
    ])
  })

  it('builds texts of all its ways to build them', async () => {
    const text = `package a

func f(x string) {
	a := fmt.Sprintf("%s/y", x)
	b := strings.Join([]string{x, "y"}, "/")
	c, err := url.JoinPath(x, "y")
	d := url.URL{Scheme: "https", Host: "a.io", Path: "/x"}
	e := strings.TrimSuffix(os.Getenv("A"), "/")
	g := getEnv("A", "https://a.io")
	h := cmp.Or(x, "https://a.io")
	m := http.MethodPost
}
`
    expect(await shown(text)).toEqual([
      'function f in 0 x',
      '3: constant out f@0 = ?',
      '4: variable a@1 = format("%s/y", x)',
      '5: variable b@1 = path(x, "y")',
      '6: variable c@1 = path(x, "y")',
      '7: variable d@1 = path(("https" + "://" + "a.io"), "/x")',
      '8: variable e@1 = os.Getenv("A")',
      '9: variable g@1 = ("https://a.io")',
      '10: variable h@1 = (x | "https://a.io")',
      '11: variable m@1 = "POST"',
      '8: call@1 os.Getenv("A")',
    ])
  })

  it('tells texts for people and browsers from others', async () => {
    const text = `package a

func f() error {
	panic("https://a.io/panic")
	log.Printf("https://a.io/log")
	browser.OpenURL("https://a.io/open")
	exec.Command("xdg-open", "https://a.io/xdg")
	if x == "https://a.io/compared" {
		return fmt.Errorf("https://a.io/error")
	}
	return errors.New("https://a.io/errors")
}
`
    expect(await shown(text)).toEqual([
      'function f in 0',
      '3: constant out f@0 = ?',
      '9: return return@1 = ?',
      '11: return return@1 = ?',
      '4: error "https://a.io/panic"',
      '5: documentation "https://a.io/log"',
      '6: link "https://a.io/open"',
      '7: link "xdg-open"',
      '7: link "https://a.io/xdg"',
      '8: error "https://a.io/compared"',
      '9: error "https://a.io/error"',
      '11: error "https://a.io/errors"',
    ])
  })

  it('knows packages and clients of other files', async () => {
    const files = {
      'api/config.go': `package api

const usersURL = "https://api.users.io/v1"
`,
      'api/client.go': `package api

import "net/http"

func fetch(path string) { http.Get(usersURL + path) }

func Users() { fetch("/users") }
`,
      'main.go': `package main

import (
	"net/http"

	"acme.dev/shop/settings"
)

func main() { http.Post(settings.HooksURL+"/hook", "", nil) }
`,
      'settings/urls.go': `package settings

const HooksURL = "https://hooks.users.io"
`,
    }
    expect(await showFound('go', files)).toEqual([
      'api/client.go:5 call get https://api.users.io/v1{}',
      'api/client.go:7 call get https://api.users.io/v1/users',
      'api/config.go:3 base - https://api.users.io/v1',
      'main.go:9 call post https://hooks.users.io/hook',
      'settings/urls.go:3 base - https://hooks.users.io',
    ])
  })

  it('finds a package in its folder, not in a file of the same name', async () => {
    const files = {
      'rates/frost.go': `package rates

import (
	"fmt"

	"acme.dev/shop/rates/frost"
	"acme.dev/shop/web"
)

const host = "nothing"

func load(client web.Client, day string) {
	url := fmt.Sprintf("%s/days/%s", frost.Root, day)
	client.GetJSON(url, nil)
	client.GetJSON(fmt.Sprintf("%s/days", frost.Other), nil)
}
`,
      'rates/frost/types.go': `package frost

const Root = "https://api.frost.net/v2"
`,
    }
    expect(await showFound('go', files)).toEqual([
      'rates/frost.go:13 literal - https://api.frost.net/v2/days/{}',
      'rates/frost.go:14 call get https://api.frost.net/v2/days/{}',
      'rates/frost/types.go:3 base - https://api.frost.net/v2',
    ])
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { openGrammars } from '../../../adapters/scanner/grammars.ts'
import {
  dockerCommands,
  jenkinsCommands,
  jsonCommands,
  justCommands,
  makeCommands,
  processCommands,
  stringCommands,
  tomlCommands,
} from '../../../core/code-scanner/commands/embedded.ts'
import { terraformCommands } from '../../../core/code-scanner/commands/terraform-commands.ts'
import {
  batchCommands,
  powershellCommands,
} from '../../../core/code-scanner/commands/windows-commands.ts'
import {
  workflowCommands,
  yamlCommands,
} from '../../../core/code-scanner/commands/yaml-commands.ts'
import { SHELL_LANGUAGES } from '../../../core/code-scanner/languages/shell.ts'
import type { Expression, Program } from '../../../core/code-scanner/model/program.ts'
import type { Grammars } from '../../../core/code-scanner/model/syntax.ts'

let grammars: Grammars | undefined
beforeAll(async () => {
  grammars = await openGrammars(['bash'])
})

function lower(text: string): Program {
  const tree = grammars?.parse('bash', text)
  if (!tree) throw new Error('Cannot parse the text')
  const program = SHELL_LANGUAGES[0]?.lower?.(tree.root)
  tree.free()
  if (!program) throw new Error('The shell has no syntax')
  return program
}

/** `name` as `<name>`, alternatives as `(a|b)`. */
function show(value: Expression | undefined): string {
  if (value?.kind === 'text') return value.text
  if (value?.kind === 'name') return `<${value.name}>`
  if (value?.kind === 'join') return value.parts.map(show).join('')
  if (value?.kind === 'either') return `(${value.options.map(show).join('|')})`
  if (value?.kind === 'list') return `[${value.items.map(show).join(' ')}]`
  if (value?.kind === 'format') return `${show(value.format)}%${value.values.map(show).join(',')}`
  return '?'
}

/** Each call as its line, program, method and URL. */
function calls(text: string): readonly string[] {
  return lower(text).calls.map(({ callee, named, place }) =>
    [place.line, callee, show(named.method), show(named.url)].join(' '),
  )
}

describe('requests of the shell', () => {
  it.each([
    ['curl https://api.acme.io/v1', 'get https://api.acme.io/v1'],
    ['curl -sS -X POST "https://api.acme.io/v1" -d @-', 'post https://api.acme.io/v1'],
    ['curl -sSXDELETE https://api.acme.io/v1/$ID', 'delete https://api.acme.io/v1/<ID>'],
    ['curl -d a=b https://api.acme.io', 'post https://api.acme.io'],
    ['curl -G -d a=b https://api.acme.io', 'get https://api.acme.io'],
    ['curl -I https://api.acme.io', 'head https://api.acme.io'],
    ['curl -T file https://api.acme.io', 'put https://api.acme.io'],
    ['curl --json "{}" --url https://api.acme.io/a', 'post https://api.acme.io/a'],
    ['curl --request=PATCH --url="$BASE/a"', 'patch <BASE>/a'],
    ['curl -H "X: https://a.b" -u k: -o out.json "$U"', 'get <U>'],
    ['/usr/bin/curl --location api.acme.io/v1', 'get api.acme.io/v1'],
    ['sudo -u web curl https://api.acme.io', 'get https://api.acme.io'],
    [`curl "\${BASE:-https://api.acme.io}/v1"`, 'get (<BASE>|https://api.acme.io)/v1'],
    ['curl "$(printf "%s/v1" "$BASE")"', 'get %s/v1%<BASE>'],
    [`curl "https://\${API_URL#https://}/v1"`, 'get https://<API_URL>/v1'],
    [`curl "https://\${API_URL##*://}/v1"`, 'get https://<API_URL>/v1'],
    [`curl "\${BASE#v}/v1/items"`, 'get <BASE>/v1/items'],
    [`curl "https://acme.io/\${PAGE##*/}"`, 'get https://acme.io/?'],
    [`curl $BASE'/v1'"/a"`, 'get <BASE>/v1/a'],
    ['curl \\\n  -X PUT \\\n  "https://api.acme.io"', 'put https://api.acme.io'],
    ['curl -s -T "$1" paste.sh', 'put http://paste.sh'],
    ['git clone -q https://github.com/"$USER"/"$REPO"', '? https://github.com/<USER>/<REPO>'],
    [
      'git remote set-url origin https://u:$P@git.acme.io/a.git',
      '? https://u:<P>@git.acme.io/a.git',
    ],
    ['docker login -u a --password-stdin ghcr.io', '? https://ghcr.io'],
    ['docker push ghcr.io/acme/app:1', '? https://ghcr.io'],
    ['docker push -q "ghcr.io/$OWNER/app:$TAG"', '? https://ghcr.io'],
    ['podman push "$REGISTRY/acme/app:1"', '? <REGISTRY>'],
    ['docker buildx build -f a.b/c --tag ghcr.io/acme/app --push .', '? https://ghcr.io'],
    ['docker buildx build --progress plain -t ghcr.io/acme/app --push .', '? https://ghcr.io'],
    [
      'docker buildx build --network host -t acme/app -t quay.io/acme/app --push .',
      '? https://quay.io',
    ],
    ['docker buildx build --push --tag=registry.acme.io/app .', '? https://registry.acme.io'],
    ['docker buildx build --output=type=registry -t ghcr.io/acme/app .', '? https://ghcr.io'],
    ['docker buildx imagetools create --tag quay.io/acme/app acme/app', '? https://quay.io'],
    ['docker push localhost:5000/app', '? https://localhost:5000'],
    ['helm repo add acme https://charts.acme.io', '? https://charts.acme.io'],
    ['mc alias set s3 https://s3.acme.io A B', '? https://s3.acme.io'],
    ['wget -qO- --post-data a=b https://api.acme.io', 'post https://api.acme.io'],
    ['wget --method=DELETE https://api.acme.io', 'delete https://api.acme.io'],
    ['http POST https://api.acme.io name=x', 'post https://api.acme.io'],
    ['http https://api.acme.io name=x', 'post https://api.acme.io'],
    ['xh https://api.acme.io q==x', 'get https://api.acme.io'],
  ])('are read of %s', (text, wanted) => {
    expect(calls(text).map((call) => call.split(' ').slice(2).join(' '))).toEqual([wanted])
  })

  it.each([
    'curl -fsSL https://acme.io/setup | sudo bash -',
    'bash -c "$(curl -fsSL https://acme.io/setup)"',
    'bash <(curl -s https://acme.io/setup)',
    'curl -L https://acme.io/setup | tar xz',
  ])('fetch what is installed in %s', (text) => {
    expect(calls(text)).toEqual(['1 installed get https://acme.io/setup'])
  })

  it.each([
    '# curl https://api.acme.io',
    'echo "curl https://api.acme.io"',
    'open https://acme.io',
    'docker pull ghcr.io/acme/app',
    'docker push acme/app:1.2',
    'docker push app:1.2',
    'docker build -t ghcr.io/acme/app .',
    'docker buildx build -f a.b/c --tag acme/app --push .',
    'docker buildx build --load -t ghcr.io/acme/app .',
    'docker buildx build --push=false -t ghcr.io/acme/app .',
    'docker buildx build -o type=docker -t ghcr.io/acme/app .',
    'docker buildx build --cache-from ghcr.io/acme/app --push .',
    'docker push "acme/app:$TAG"',
    'git clone --depth 1 https://github.com/acme/tool.git /opt/tool',
    'git remote add origin "$URL"',
    'helm install acme https://charts.acme.io/app.tgz',
  ])('are not seen in %s', (text) => {
    expect(calls(text)).toEqual([])
  })

  it('are those of a list of words kept in an array', () => {
    expect(calls(`args=(-X POST)\nargs+=("$BASE/v1")\ncurl "\${args[@]}"`)).toEqual([
      '3 curl post <BASE>/v1',
    ])
  })

  it('are found in functions, whose arguments have numbers for names', () => {
    const {
      calls: found,
      scopes,
      bindings,
    } = lower('api() {\n  local path="$1"\n  curl "$BASE$path"\n}\napi /users')
    expect(scopes[1]).toEqual({
      kind: 'function',
      name: 'api',
      parent: 0,
      parameters: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
    })
    expect(bindings.map(({ name, value, scope }) => [name, show(value), scope])).toEqual([
      ['api', '?', 0],
      ['path', '<1>', 1],
    ])
    expect(found.map(({ callee, args, scope }) => [callee, args.map(show), scope])).toEqual([
      ['curl', ['<BASE><path>'], 1],
      ['api', ['/users'], 0],
    ])
  })

  it('may be sent by functions of other files, which are named so', () => {
    const { calls: found } = lower('_get "$A"\nhttp_post x "$A"\nget "$A"\n_print "$A"\ntarget_api')
    expect(found.map(({ callee, args }) => [callee, args.map(show)])).toEqual([
      ['_get', ['<A>']],
      ['http_post', ['x', '<A>']],
    ])
  })

  it('are given parameters by names of the function alone', () => {
    const { bindings } = lower('f() {\n  to="$1/x"\n  all=1\n}')
    expect(bindings.map(({ name, scope }) => [name, scope])).toEqual([
      ['f', 0],
      ['to', 1],
      ['all', 1],
      ['all', 0],
    ])
  })

  it('stand where they stand', () => {
    const [call] = lower('x=1\n  curl "https://api.acme.io"').calls
    expect([call?.place, call?.args[0]?.place]).toEqual([
      { index: 6, line: 2, column: 3 },
      { index: 11, line: 2, column: 8 },
    ])
  })
})

describe('shell commands of other files', () => {
  it('are those of a Dockerfile', () => {
    const text = [
      'FROM a:1',
      'ARG BASE=https://api.acme.io',
      'ENV OTHER "https://b.acme.io"',
      'RUN --mount=type=cache curl -X POST \\',
      '  "$BASE/v1" && echo',
      '# RUN curl https://c.acme.io',
      'CMD ["curl", "https://d.acme.io"]',
    ].join('\n')
    expect(dockerCommands(text).length).toBe(text.length)
    expect(calls(dockerCommands(text))).toEqual([
      '4 curl post <BASE>/v1',
      '7 curl get https://d.acme.io',
    ])
    expect(
      lower(dockerCommands(text)).bindings.map(({ name, value }) => `${name}=${show(value)}`),
    ).toEqual(['BASE=https://api.acme.io', 'OTHER=https://b.acme.io'])
  })

  it('are those of a Makefile', () => {
    const text = [
      'API := https://api.acme.io # home',
      'ping: deps',
      '\t@curl -X POST $(API)/ping?t=$$T',
      'curl https://no.acme.io',
    ].join('\n')
    expect(calls(makeCommands(text))).toEqual(['3 curl post <API>/ping?t=<T>'])
    expect(lower(makeCommands(text)).bindings.map(({ place }) => place)).toEqual([
      { index: 3, line: 1, column: 4 },
    ])
  })

  it('are those of a workflow', () => {
    const text = [
      'name: x',
      'env:',
      '  BASE: https://api.acme.io',
      'jobs:',
      '  a:',
      '    steps:',
      '      - uses: a/b@v1',
      '      - name: "curl https://no.acme.io"',
      '        run: |',
      '          curl -X POST \\',
      `            "\${{ env.BASE }}/v1"`,
      '      - run: curl https://b.acme.io',
      '    script:',
      '      - curl https://c.acme.io',
    ].join('\n')
    expect(calls(workflowCommands(text))).toEqual([
      '10 curl post <BASE>/v1',
      '12 curl get https://b.acme.io',
      '14 curl get https://c.acme.io',
    ])
    expect(
      lower(workflowCommands(text)).bindings.map(({ name, value }) => `${name}=${show(value)}`),
    ).toEqual(['BASE=https://api.acme.io'])
  })

  it('are the scripts of a package', () => {
    const text = [
      '{ "homepage": "https://acme.io", "scripts": {',
      '  "ping": "curl -d \\"a\\" https://api.acme.io/ping && echo",',
      '  "b": "wget -qO- https://b.acme.io"',
      '}, "curl x": 1 }',
    ].join('\n')
    expect(calls(jsonCommands(text))).toEqual([
      '2 curl post https://api.acme.io/ping',
      '3 wget get https://b.acme.io',
    ])
    expect(jsonCommands(text).length).toBe(text.length)
  })

  it('are read in quotes, lists, folded blocks and jobs of CI descriptions', () => {
    const text = [
      'deploy:',
      '  script:',
      '    - "curl -H \\"A: b\\" https://a.acme.io"',
      "    - 'curl https://b.acme.io'",
      '    - >-',
      '      curl -X POST',
      '      -d x',
      '      https://c.acme.io',
      '    - curl https://d.acme.io',
      '  rules: [curl https://no.acme.io]',
      'steps:',
      '  - run:',
      '      name: curl https://no.acme.io',
      '      command: |',
      '        curl https://e.acme.io',
      '  - run: >',
      '      curl',
      '      https://f.acme.io',
      '',
      'after_success:',
      '- wget https://g.acme.io/v1',
    ].join('\n')
    expect(calls(workflowCommands(text))).toEqual([
      '3 curl get https://a.acme.io',
      '4 curl get https://b.acme.io',
      '6 curl post https://c.acme.io',
      '9 curl get https://d.acme.io',
      '15 curl get https://e.acme.io',
      '17 curl get https://f.acme.io',
      '21 wget get https://g.acme.io/v1',
    ])
    expect(workflowCommands(text).length).toBe(text.length)
  })

  it('are read in containers and tasks of other YAML', () => {
    const text = [
      '- command: ["sh", "-c", "cd /x && curl https://a.acme.io"]',
      '  env: { URL: https://no.acme.io }',
      '  args: [curl, -f, https://b.acme.io]',
      '- name: ping',
      '  ansible.builtin.shell: curl https://c.acme.io',
      '- command:',
      '    cmd: curl https://d.acme.io',
    ].join('\n')
    expect(calls(yamlCommands(text))).toEqual([
      '1 curl get https://a.acme.io',
      '3 curl get https://b.acme.io',
      '5 curl get https://c.acme.io',
      '7 curl get https://d.acme.io',
    ])
    expect(yamlCommands(text).length).toBe(text.length)
    expect(
      calls(
        yamlCommands(
          'ping.sh: |\n  #!/bin/sh\n  curl https://a.acme.io\nb: |\n  curl https://no.acme.io',
        ),
      ),
    ).toEqual(['3 curl get https://a.acme.io'])
    expect(yamlCommands('a: curl https://a.acme.io').trim()).toBe('')
  })

  it.each([
    [jenkinsCommands, "sh 'curl https://a.acme.io'\necho 'curl x'", '1 curl get https://a.acme.io'],
    [jenkinsCommands, 'sh(script: """\n curl $A/x\n""")', '2 curl get <A>/x'],
    [justCommands, 'ping:\n    curl https://a.acme.io', '2 curl get https://a.acme.io'],
    [processCommands, 'web: curl https://a.acme.io', '1 curl get https://a.acme.io'],
    [stringCommands, 'bash -c "curl https://a.acme.io"', '1 curl get https://a.acme.io'],
    [stringCommands, 'ssh a@b "curl https://a.acme.io"', '1 curl get https://a.acme.io'],
    [stringCommands, 'CMD="curl https://a.acme.io"', '1 curl get https://a.acme.io'],
    [stringCommands, 'ssh a <<EOF\ncurl https://a.acme.io\nEOF', '2 curl get https://a.acme.io'],
    [
      stringCommands,
      'cat > x <<-"E"\n#!/bin/sh\ncurl https://a.acme.io\nE\ncat <<F\ncurl https://no.acme.io\nF',
      '3 curl get https://a.acme.io',
    ],
    [
      jenkinsCommands,
      "  API = 'https://a.acme.io'\n  bat 'curl %X%'\n  httpRequest url: 'https://b.acme.io', httpMode: 'PUT'",
      ['2 curl get %X%', '3 httpRequest put https://b.acme.io'],
    ],
    [
      terraformCommands,
      'command = "curl -d \\"x\\" https://a.acme.io/%{var}"\nurl = "curl https://no.acme.io"',
      '1 curl post https://a.acme.io/%{var}',
    ],
    [
      terraformCommands,
      'inline = [\n  "curl https://a.acme.io",\n  "wget -qO- https://b.acme.io",\n]',
      ['2 curl get https://a.acme.io', '3 wget get https://b.acme.io'],
    ],
    [
      terraformCommands,
      `user_data = base64encode(<<-EOF\n  curl $\${X}/a\${var.b}\nEOF\n)\npolicy = <<EOF\ncurl https://no.acme.io\nEOF`,
      '2 curl get <X>/a<_>',
    ],
    [tomlCommands, '[build]\ncommand = "curl https://a.acme.io"', '2 curl get https://a.acme.io'],
    [batchCommands, 'rem curl x\n@call curl -d a %API%/v1', '2 curl post <API>/v1'],
    [
      powershellCommands,
      '# irm https://no.acme.io\n$r = Invoke-RestMethod `\n  -Method Put -Uri "$base/a/$($x.id)" | Out-Null',
      '2 Invoke-RestMethod put <base>/a/<_>',
    ],
    [
      powershellCommands,
      'if ($x) { return (irm "https://a.acme.io").b }',
      '1 irm get https://a.acme.io',
    ],
    [
      powershellCommands,
      "$p = @{\n  Uri = 'https://a.acme.io'\n  Method = 'Post'\n}\nirm @p",
      '5 irm post https://a.acme.io',
    ],
    [powershellCommands, '$c.DownloadString("https://a.acme.io")', '1 irm get https://a.acme.io'],
    [
      stringCommands,
      "docker exec web sh -c 'cd x; curl https://a.acme.io' && y",
      '1 curl get https://a.acme.io',
    ],
  ])('are found by %o', (prepare, text, wanted) => {
    expect(calls(prepare(text))).toEqual([wanted].flat())
    if (prepare !== batchCommands) expect(prepare(text).length).toBe(text.length)
  })
})

describe('commands of tools', () => {
  it.each([
    ['aws s3 cp a b', 'aws s3.cp'],
    ['sudo -E aws --region x s3 ls', 'aws x.s3'],
    ['gcloud beta run deploy', 'gcloud run.deploy'],
    ['npx -y @sentry/cli@2 releases new 1', '@sentry/cli releases.new'],
    ['npx vercel@latest --prod', 'vercel '],
    ['pnpm dlx wrangler publish', 'wrangler publish'],
    ['X=$(bundle exec stripe listen)', 'stripe listen'],
    ['AWS=aws\n$AWS s3 ls', 'aws s3.ls'],
    ['coveralls < lcov.info', 'coveralls '],
    ['yarn npm publish', 'npm publish'],
    ['poetry publish', 'poetry publish'],
    ['dotnet nuget push x.nupkg', 'dotnet nuget.push'],
    ['docker run --rm -e A acme/tool:2 x', 'acme/tool '],
    ['docker login -u a -p b', 'docker login.a'],
    ['curl -s https://acme.io/cov | bash', 'script/acme_io/cov '],
    ['Get-AzVM -Name x', 'cmdlet/AzVM x'],
    ['heroku config:set A=b', 'heroku config:set.A=b'],
    ['eas build', 'eas build'],
    ['vercel build', undefined],
    ['heroku', undefined],
    ['aws --version', undefined],
    ['aws configure set region x', undefined],
    ['firebase emulators:start', undefined],
    ['command -v aws', undefined],
    ['aws --endpoint-url=http://localhost:4566 s3 ls', undefined],
    ['s3cmd --host=nyc3.acme.io put a s3://b', undefined],
    ['s3cmd --host nyc3.acme.io put a s3://b', undefined],
    ['influx query --host https://eu.acme.io x', 'influx query.https://eu.acme.io'],
    ['gcloud components install beta', undefined],
    ['aws() { :; }\naws s3 ls', undefined],
  ])('are imports: %s', (text, wanted) => {
    const [found] = lower(text).imports.filter(({ module }) => module !== ':')
    expect(found && `${found.module} ${found.imported}`).toBe(wanted)
  })

  it('give addresses to names, and write them to files', () => {
    const text = [
      'docker run -e API_URL=https://a.acme.io/v1 image',
      'aws --endpoint-url=https://b.acme.io s3 ls',
      'docker login --docker-server=https://no.acme.io',
      'cat <<EOF > x.yml',
      'api_url: https://c.acme.io/$ID/x',
      '# old_url: https://no.acme.io',
      '{ "hook": "https://d.acme.io" }',
      'EOF',
    ].join('\n')
    const { bindings } = lower(text)
    expect(bindings.map(({ name, value }) => `${value.place.line} ${name} ${show(value)}`)).toEqual(
      [
        '5 api_url https://c.acme.io/?',
        '7 hook https://d.acme.io',
        '1 API_URL https://a.acme.io/v1',
        '2 endpoint_url https://b.acme.io',
      ],
    )
  })
})

// The files to deploy with, held against the program: settings, ports, paths and metrics they name exist.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { Settings } from '../server/app/settings/settings.ts'
import { settings } from '../server/cli/flags.ts'
import { ask } from './setup/calls.ts'
import { root } from './setup/runningService.ts'
import { forAllTests, serve } from './setup/service.ts'

type Json = Readonly<Record<string, unknown>>

const folder = join(root, 'server/deploy')
const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
const textOf = (path: string): string => readFileSync(join(folder, path), 'utf8')

/** Aliases and merge keys resolved. Throws for text that is no YAML. */
function yamlOf(path: string): Json[] {
  return parseAllDocuments(textOf(path), { merge: true }).map((document) => {
    if (document.errors.length > 0) throw new Error(`${path}: ${document.errors[0]?.message}`)
    return document.toJS() as Json
  })
}

const compose = yamlOf('compose/compose.yaml')[0] as {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Json
}
interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly depends_on?: Json | readonly string[]
  readonly [field: string]: unknown
}

interface Container {
  readonly args: readonly string[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly volumeMounts: readonly { readonly mountPath: string }[]
  readonly [field: string]: unknown
}

interface Deployed {
  readonly kind: string
  readonly spec: {
    readonly selector?: { readonly matchLabels: Json }
    readonly template: {
      readonly metadata: { readonly labels: Json }
      readonly spec: { readonly containers: Container[]; readonly enableServiceLinks?: boolean }
    }
  }
  readonly data: Readonly<Record<string, string>>
}
const kubernetes = yamlOf('kubernetes/tonrpc.yaml') as unknown as readonly Deployed[]
const ofKind = (kind: string) => kubernetes.filter((one) => one.kind === kind)

const byEnv = new Map(settings.map((setting) => [setting.env, setting]))
const PORT = Settings.shape.port.parse(undefined)

/** Values of a file as a process gets them; `${NAME:-value}` is the value. */
const plainValue = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1')

describe('settings', () => {
  test.each(paths)('%s names those that exist', (path) => {
    const text = textOf(path)
    const variables = [...text.matchAll(/TONRPC_[A-Z_]+/g)].map(([name]) => name)
    expect(variables.filter((name) => !byEnv.has(name))).toEqual([])
  })

  test('flags of commands exist', () => {
    const unit = /^ExecStart=.*$/m.exec(textOf('systemd/tonrpc.service'))?.[0] ?? ''
    const words = [
      ...unit.split(' '),
      ...ofKind('Deployment').flatMap((one) => one.spec.template.spec.containers[0]?.args ?? []),
    ]
    const flags = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2))
    expect(flags.length).toBeGreaterThan(4)
    expect(flags.filter((flag) => !settings.some((setting) => setting.flag === flag))).toEqual([])
  })

  test('flags of Node are those of the guide', () => {
    const flags = (text: string) => [...text.matchAll(/--max-semi-space-size=\d+/g)].map(([flag]) => flag)
    const [flag = 'none'] = flags(readFileSync(join(root, 'server/docs/guides/operating.md'), 'utf8'))
    expect([flags(textOf('Dockerfile')), flags(textOf('systemd/tonrpc.service'))]).toEqual([[flag], [flag]])
  })

  test('values are accepted', () => {
    const given = [
      ...Object.values(compose.services).map(({ environment = {} }) => environment),
      ...ofKind('ConfigMap').map(({ data }) => data),
    ]
    const values = given
      .flatMap((environment) => Object.entries(environment))
      .filter(([name]) => name.startsWith('TONRPC_'))
    expect(values.length).toBeGreaterThan(10)
    for (const [name, text] of values) {
      const { name: setting = '', kind } = byEnv.get(name) ?? {}
      const value = plainValue(text)
      const parsed = kind === 'list' ? value.split(',') : kind === 'number' ? Number(value) : value
      expect([name, Settings.safeParse({ [setting]: parsed }).error?.issues]).toEqual([name, undefined])
    }
  })
})

describe('the image', () => {
  const text = textOf('Dockerfile')

  test('runs as no root, on the port of the service, and copies what the package holds', () => {
    expect(text).toMatch(/^USER node$/m)
    expect(Number(/^EXPOSE (\d+)$/m.exec(text)?.[1])).toBe(PORT)
    expect(text).toMatch(/HEALTHCHECK[\s\S]*\/readyz/)
    const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { files: string[] }
    const copied = [...text.matchAll(/^COPY --from=build \/app\/(\S+) /gm)].map(([, path = '']) => path)
    const missing = files.filter((file) => !copied.some((path) => file === path || file.startsWith(`${path}/`)))
    expect(missing).toEqual([])
    expect(copied.filter((path) => path !== 'package.json' && !existsSync(join(root, path)))).toEqual([])
  })

  test('gets no secrets and no installed packages of the machine', () => {
    const ignored = textOf('Dockerfile.dockerignore').split('\n')
    expect(ignored).toEqual(
      expect.arrayContaining(['.git', '**/node_modules', '.tonrpc', 'server/deploy/compose/secrets/*']),
    )
  })
})

describe('compose', () => {
  const services = Object.entries(compose.services)
  const ours = services.filter(([, { image }]) => image === 'tonrpc')

  test('says at its top only what older releases take; the name of the project stands beside it', () => {
    expect(Object.keys(compose).filter((key) => !/^(x-|(services|secrets|volumes|networks)$)/.test(key))).toEqual([])
    expect(textOf('compose/.env')).toContain('COMPOSE_PROJECT_NAME=tonrpc')
  })

  test('has two of each role, with a read-only root and no privileges', () => {
    const roles = ours.map(([, { environment }]) => environment?.TONRPC_ROLE)
    expect(roles.sort()).toEqual(['api', 'api', 'index', 'index'])
    for (const [, service] of ours)
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        tmpfs: ['/tmp'],
        build: { dockerfile: 'server/deploy/Dockerfile' },
      })
  })

  test('names secrets, volumes, services and files that exist', () => {
    for (const [name, { secrets = [], volumes = [], depends_on = [], environment = {} }] of services) {
      expect(secrets.filter((secret) => !(secret in compose.secrets))).toEqual([])
      const sources = volumes.map((volume) => volume.split(':')[0] ?? '')
      const lost = sources.filter((source) =>
        source.startsWith('.') ? !existsSync(join(folder, 'compose', source)) : !(source in compose.volumes),
      )
      expect([name, lost]).toEqual([name, []])
      const others = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)
      expect(others.filter((other) => !(other in compose.services))).toEqual([])
      const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))
      expect(files.filter((file) => !secrets.includes(file.slice('/run/secrets/'.length)))).toEqual([])
    }
    const made = textOf('compose/secrets.sh')
    for (const { file } of Object.values(compose.secrets)) expect(made).toContain(`> ${file}`)
  })

  test('its secrets are closed to other users of the machine, and made once', () => {
    const copy = mkdtempSync(join(tmpdir(), 'secrets-'))
    onTestFinished(() => rmSync(copy, { recursive: true }))
    // As a checkout makes it.
    mkdirSync(join(copy, 'secrets'), { mode: 0o755 })
    const make = () => execFileSync('bash', [join(folder, 'compose/secrets.sh')], { cwd: copy, stdio: 'pipe' })
    make()
    expect(readdirSync(join(copy, 'secrets')).sort()).toEqual(Object.keys(compose.secrets).sort())
    expect(statSync(join(copy, 'secrets')).mode & 0o777).toBe(0o700)
    expect(make).toThrow()
  })

  test('the proxy and the scraper call processes that exist, on their port', () => {
    const apis = ours
      .filter(([, { environment }]) => environment?.TONRPC_ROLE === 'api')
      .map(([name]) => `${name}:${PORT}`)
    const caddy = textOf('compose/Caddyfile')
    expect(/reverse_proxy ([^{]+) \{/.exec(caddy)?.[1]?.split(' ')).toEqual(apis)
    expect(caddy).toMatch(/health_uri \/readyz/)
    expect(caddy).toMatch(/@private path .*\/api\/admin\/\*/)
    const scraped = [...textOf('prometheus/prometheus.yml').matchAll(/'([\w-]+:\d+)'/g)].map(([, target]) => target)
    expect(scraped.sort()).toEqual(ours.map(([name]) => `${name}:${PORT}`).sort())
  })

  test.each(paths.filter((path) => path.endsWith('.sh')))('%s is a script that bash can read', (path) => {
    execFileSync('bash', ['-n', join(folder, path)])
    expect(textOf(path)).toContain('set -euo pipefail')
  })
})

describe('kubernetes', () => {
  test('pods have probes, a read-only root and the port of the service', () => {
    const containers = ofKind('Deployment').map((one) => one.spec.template.spec.containers[0])
    expect(containers).toHaveLength(2)
    for (const container of containers) {
      expect(container?.ports).toEqual([{ name: 'http', containerPort: PORT }])
      expect(container).toMatchObject({
        readinessProbe: { httpGet: { path: '/readyz' } },
        livenessProbe: { httpGet: { path: '/healthz' } },
        securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
      })
      expect(container?.volumeMounts.map(({ mountPath }) => mountPath)).toEqual(['/data', '/tmp', '/secrets'])
    }
    for (const { spec } of ofKind('Deployment'))
      expect(spec.template.metadata.labels).toEqual(spec.selector?.matchLabels)
  })

  test('pods are not given variables with the name of the service, which would be read as settings', () => {
    const pods = ofKind('Deployment').map(({ spec }) => spec.template.spec)
    expect(pods.map(({ enableServiceLinks }) => enableServiceLinks)).toEqual([false, false])
  })
})

describe('the unit', () => {
  test.each([
    'NoNewPrivileges=yes',
    'ProtectSystem=strict',
    'DynamicUser=yes',
    'PrivateTmp=yes',
    'CapabilityBoundingSet=',
    'SystemCallErrorNumber=EPERM',
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK',
    'StateDirectory=tonrpc',
  ])('has %s', (line) => {
    expect(textOf('systemd/tonrpc.service').split('\n')).toContain(line)
  })

  test('waits longer than the service does', () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(textOf('systemd/tonrpc.service'))?.[1])
    expect(seconds * 1000).toBeGreaterThan(Settings.shape.drainMs.parse(undefined))
  })
})

describe('metrics', () => {
  const service = forAllTests(() => serve({ withIndex: true, config: { limits: 'on' } }))
  let known = new Set<string>()
  let labels = new Set<string>()
  let types = new Map<string, string>()
  beforeAll(async () => {
    await ask(service(), '/api/v2/getMasterchainInfo')
    const { text } = await ask(service(), '/metrics')
    const names = [...text.matchAll(/^(?:# TYPE )?(tonrpc_\w+)/gm)].map(([, name = '']) => name)
    known = new Set(names)
    types = new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
    labels = new Set([...text.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name))
  })

  const rules = yamlOf('prometheus/alerts.yml')[0] as unknown as {
    readonly groups: readonly {
      readonly rules: readonly { alert: string; expr: string; annotations: { summary: string } }[]
    }[]
  }
  const alerts = rules.groups.flatMap(({ rules }) => rules)
  const dashboard = JSON.parse(textOf('grafana/tonrpc.json')) as {
    readonly panels: readonly {
      title: string
      targets: { expr: string }[]
      gridPos: Record<'x' | 'y' | 'w' | 'h', number>
    }[]
  }
  const expressions: readonly (readonly [string, string])[] = [
    ...alerts.map(({ alert, expr }) => [alert, expr] as const),
    ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ]

  test.each(expressions)('%s: %s', (_title, expr) => {
    const named = [...expr.matchAll(/tonrpc_\w+/g)].map(([name]) => name)
    expect(named.filter((name) => !known.has(name))).toEqual([])
    const grouped = [...expr.matchAll(/\bby \((\w+)\)/g), ...expr.matchAll(/(\w+)(?:=~|!=)"/g)].map(
      ([, name = '']) => name,
    )
    expect(grouped.filter((name) => !labels.has(name))).toEqual([])
    expect(expr.split('(').length).toBe(expr.split(')').length)
  })

  test('a rate is one of counters, whose names end in _total, or of a histogram', () => {
    const rated = expressions.flatMap(([, expr]) => [...expr.matchAll(/\brate\((\w+)/g)].map(([, name = '']) => name))
    const typeOf = (name: string) => types.get(name.replace(/_bucket$/, ''))
    expect(rated.filter((name) => !/^(?:counter|histogram)$/.test(typeOf(name) ?? ''))).toEqual([])
    const counters = [...types].filter(([, type]) => type === 'counter').map(([name]) => name)
    expect(counters).toEqual([...types.keys()].filter((name) => name.endsWith('_total')))
  })

  test('panels do not overlap', () => {
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...dashboard.panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
  })
})

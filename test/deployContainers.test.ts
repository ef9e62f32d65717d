// The image and the compose file built and started, on a machine with a container engine: what an operator's first two
// commands give him, over an embedded chain in a container of its own.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from './setup/runningService.ts'

const name = `tonrpc-test-${process.pid}`
const tried = (...args: string[]) => spawnSync('docker', args, { encoding: 'utf8' })
const docker = (...args: string[]): string => execFileSync('docker', args, { encoding: 'utf8', stdio: 'pipe' }).trim()

const hasEngine = tried('version', '--format', '{{.Server.Version}}').status === 0
const isThere = (image: string): boolean =>
  tried('image', 'inspect', image).status === 0 || tried('pull', '--quiet', image).status === 0
const imagesOf = (file: string, line: RegExp): string[] => [
  ...new Set(
    [...readFileSync(join(root, 'server/deploy', file), 'utf8').matchAll(line)].map(([, image = '']) => image),
  ),
]
const hasBase = hasEngine && imagesOf('Dockerfile', /^FROM (\S+)/gm).every(isThere)
const hasCompose =
  hasBase &&
  tried('compose', 'version').status === 0 &&
  imagesOf('compose/compose.yaml', /^ {4}image: ((?:postgres|redis|caddy)\S+)$/gm).every(isThere)
const notBuilt = hasBase ? '' : ', not built: no container engine, or its base image cannot be fetched'
const notStarted = hasCompose ? '' : ', not started: no "docker compose", or an image cannot be fetched'

/** Of a container, once it is no longer starting. */
const health = async (container: string): Promise<void> =>
  await expect.poll(() => docker('inspect', '--format', '{{.State.Health.Status}}', container)).toBe('healthy')

describe.skipIf(!hasBase)(`the image${notBuilt}`, () => {
  beforeAll(() => {
    docker('build', '--file', join(root, 'server/deploy/Dockerfile'), '--tag', name, root)
  }, 1_800_000)

  test('serves a chain with a read-only root, no privileges and bounded memory, and ends in order', async () => {
    const rights = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges']
    const id = docker('run', '--detach', ...rights, '--memory', '1g', '--publish', '127.0.0.1::8081', name)
    try {
      await health(id)
      const url = `http://${docker('port', id, '8081')}`
      expect(docker('logs', id)).toContain('heaps sized for 1024 MB')
      const key = docker('exec', id, 'tonrpc', 'keys', 'create', '--plan', 'free').split('\n')[0] ?? ''
      for (const path of ['/api/v2/getMasterchainInfo', '/api/v3/masterchainInfo']) {
        const { status } = await fetch(url + path, { headers: { 'X-API-Key': key } })
        expect([path, status]).toEqual([path, 200])
      }
      expect(tried('exec', id, 'touch', '/app/x').status).not.toBe(0)
      docker('stop', '--time', '60', id)
      expect(docker('inspect', '--format', '{{.State.ExitCode}} {{.State.OOMKilled}}', id)).toBe('0 false')
    } finally {
      docker('rm', '--force', '--volumes', id)
    }
  })
})

describe.skipIf(!hasCompose)(`the compose file${notStarted}`, () => {
  let folder: string
  let compose: (...args: string[]) => string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tonrpc-compose-'))
    cpSync(join(root, 'server/deploy'), folder, { recursive: true })
    const inCompose = { cwd: join(folder, 'compose'), encoding: 'utf8', stdio: 'pipe' } as const
    rmSync(join(inCompose.cwd, 'secrets'), { recursive: true, force: true })
    // The image of the tests, a free port, and a chain, whose list the others fetch over http.
    const own = ['api-1', 'api-2', 'index-1', 'index-2'].map((one) => `  ${one}: { image: ${name} }`)
    const chain = `{ image: ${name}, command: [--lite-port, '8082', --lite-host, 0.0.0.0, --limits, 'off'] }`
    const services = [...own, `  chain: ${chain}`, "  caddy: { ports: !override ['127.0.0.1::443'] }"]
    writeFileSync(join(inCompose.cwd, 'test.yaml'), ['services:', ...services, ''].join('\n'))
    const files = ['--project-name', name, '--file', 'compose.yaml', '--file', 'test.yaml']
    const LITESERVERS = 'http://chain:8081/global.config.json'
    const env = { ...process.env, NETWORK: 'custom', LITESERVERS }
    compose = (...args) => execFileSync('docker', ['compose', ...files, ...args], { ...inCompose, env }).trim()
    execFileSync('./secrets.sh', inCompose)
  })
  afterAll(() => {
    compose('down', '--volumes', '--timeout', '5')
    rmSync(folder, { recursive: true })
  })

  /** Over TLS, as a caller; the certificate is the proxy's own. */
  const status = (path: string): string =>
    execFileSync(
      'curl',
      ['-sk', '--output', '/dev/null', '--write-out', '%{http_code}', `https://localhost:${port()}${path}`],
      { encoding: 'utf8' },
    )
  const port = (): string => compose('port', 'caddy', '443').split(':').at(-1) ?? ''

  test('serves two processes over a database with a replica, and outlives the leader and a process that answers', async () => {
    compose('up', '--detach', 'chain')
    await health(compose('ps', '--quiet', 'chain'))
    compose('up', '--detach')
    await expect.poll(() => status('/readyz')).toBe('200')
    for (const path of ['/api/v2/getMasterchainInfo', '/api/v3/masterchainInfo', '/api/v3/transactions?limit=1']) {
      await expect.poll(() => [path, status(path)]).toEqual([path, '200'])
    }
    expect([status('/metrics'), status('/api/admin/keys')]).toEqual(['404', '404'])
    for (const one of ['api-1', 'index-1']) {
      compose('kill', one)
      await expect.poll(() => status('/api/v3/masterchainInfo')).toBe('200')
      compose('start', one)
      await health(compose('ps', '--quiet', one))
    }
  })
})

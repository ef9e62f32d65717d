// `tonrpc webhooks` at an address where something else answers.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { webhooksCommand } from '../../../../server/cli/webhooks/command.ts'

function answering(text: string): Promise<string> {
  const server = createServer((_, res) => res.end(text)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  return new Promise((resolve) => {
    server.once('listening', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

async function run(...argv: string[]) {
  const [out, err]: [string[], string[]] = [[], []]
  const code = await webhooksCommand.run(argv, {
    env: {},
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
  })
  return { code, out, err: err.join('\n') }
}

test.each([['list'], ['add', 'https://example.com/hook'], ['remove', '1'], ['deliveries', '1'], ['test', '1']])(
  '%s: another service is named as one, in a line',
  async (...words) => {
    for (const text of ['<html>hello</html>', 'null', '[]']) {
      const url = await answering(text)
      const ended = await run(...words, '--url', url)
      expect(ended).toEqual({
        code: 1,
        out: [],
        err: `tonrpc: what answers at ${url} is no tonrpc: name one with --url`,
      })
    }
  },
)

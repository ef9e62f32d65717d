// The Python of the guide on webhooks, in a receiver that is all Python: it takes what the service has signed, and nothing else.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { guides } from '../setup/documents.ts'
import { run } from '../setup/runningService.ts'
import { serve } from '../setup/service.ts'
import { eventually, openWallet } from '../setup/streams.ts'
import { webhooksOf } from '../setup/webhooks.ts'

const SERVER = `
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer

secret = []

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/secret":
            secret[:] = [body.decode()]
            is_good = True
        else:
            is_good = is_genuine(self.headers["X-Signature"], body, secret[0])
            is_bent = is_genuine(self.headers["X-Signature"], body + b" ", secret[0])
            print(is_good, is_bent, json.loads(body).get("type"), flush=True)
        self.send_response(200 if is_good else 400)
        self.end_headers()

    def log_message(self, *words):
        pass

server = HTTPServer(("127.0.0.1", 0), Receiver)
print("port", server.server_port, flush=True)
server.serve_forever()
`

test('a receiver in Python knows what comes from the service', async (context) => {
  const code = guides
    .find(({ path }) => path.endsWith('/webhooks.md'))
    ?.blocks.find(({ language }) => language === 'python')?.code
  const folder = mkdtempSync(join(tmpdir(), 'tonrpc-python-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'receiver.py'), `${code}${SERVER}`)
  await using receiver = run('python3', [join(folder, 'receiver.py')])
  const [, port] = (await receiver.says(/port (\d+)/).catch(() => null)) ?? []
  if (port === undefined) return context.skip('no Python here')
  await using service = await serve({ withIndex: true, config: { mining: 'manual', webhookPrivate: true } })
  const { raw, send, mine } = await openWallet(service)
  const url = `http://127.0.0.1:${port}`
  const { add, one } = webhooksOf(service)
  const { id, secret } = await add(`${url}/hook`, { types: ['transactions', 'actions'], addresses: [raw] })
  const tell = (text: string) => fetch(`${url}/secret`, { method: 'POST', body: text })
  await tell('another secret')
  await send(`0:${'AB'.repeat(32)}`, { comment: 'ünï' })
  await mine()
  await receiver.says(/^False False transactions\n/m)
  await tell(secret)
  await receiver.says(/^True False actions\n/m)
  expect(receiver.stdout()).toMatch(/^(False False transactions\n)+True False transactions\nTrue False actions\n$/m)
  await eventually(async () => ((await one(id)).delivered === 2 ? true : undefined))
})

// Runs in a network of its own: watches a connection whose packets are dropped from some moment on, and prints what was seen.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PeerWatch } from '../../../../.build/server/http/connections/peerWatch.js'

const everyMs = Number(process.argv[2])
const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const accepted = once(server, 'connection')
const theirs = connect({ host: '127.0.0.1', port: server.address().port })
const [ours] = await accepted
theirs.resume()
const packets = (action) => {
  for (const [chain, port] of [
    ['OUTPUT', '--sport'],
    ['OUTPUT', '--dport'],
  ])
    execFileSync('iptables', [action, chain, '-p', 'tcp', port, String(theirs.localPort), '-j', 'DROP'])
}
let misses = 0
let most = 0
new PeerWatch(everyMs).add(ours, (found) => {
  misses = found
  most = Math.max(most, found)
})
const heartbeat = setInterval(() => ours.write(': keepalive\n\n'), everyMs)
await sleep(20 * everyMs)
const wasGone = most >= 4
packets('-A')
while (misses < 4) await sleep(everyMs)
const unsent = ours.writableLength
packets('-D')
while (misses > 0) await sleep(everyMs)
clearInterval(heartbeat)
process.stdout.write(JSON.stringify({ wasGone, unsent, isMissed: most >= 4, afterwards: misses }))
process.exit(0)

// Connections that wait to be taken while the process has work for every turn of the event loop.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test, vi } from 'vitest'
import { SlicedWork } from '../../../../server/fairness/index.ts'
import { ConnectionSeats } from '../../../../server/http/connections/connectionSeats.ts'
import { portEntrance } from '../../../../server/http/connections/entrance.ts'
import { SeatedConnections } from '../../../../server/http/connections/seatedConnections.ts'

const COUNT = 64

const CONNECT = `
  const { connect } = require('node:net')
  const { port, count, made } = require('node:worker_threads').workerData
  for (let i = 0; i < count; i++) {
    const client = connect(port, '127.0.0.1', () => {
      Atomics.add(made, 0, 1)
      Atomics.notify(made, 0)
    })
    client.on('error', () => undefined).resume()
  }`

/** Makes all connections while this thread stands still, so that they wait in the system. Resolves when they are closed. */
function connectAll(port: number): Promise<unknown> {
  const made = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Worker(CONNECT, { eval: true, workerData: { port, count: COUNT, made } })
  for (let count = 0; count < COUNT; count = Atomics.load(made, 0)) Atomics.wait(made, 0, count)
  return once(thread, 'exit')
}

test('behavior: several connections are taken between two turns of work', async () => {
  const seats = new ConnectionSeats({ connections: 1000, connectionsPerAddress: 1000, sockets: 10 }, () => false)
  const connections = new SeatedConnections(seats, 16)
  const entrance = portEntrance({ host: '127.0.0.1', port: 0, connections, handOver: null })
  onTestFinished(() => entrance.close())
  let taken = 0
  const { port } = new URL(
    await entrance.open((socket) => {
      taken++
      socket.destroy()
    }),
  )
  const ended = connectAll(Number(port))
  // Work waits for no longer than a slice, which passes at once on a busy machine.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => clock.mockRestore())
  const work = new SlicedWork()
  let turns = 0
  while (taken < COUNT) {
    await work.rest()
    turns++
  }
  expect(turns).toBeLessThanOrEqual(COUNT / 4)
  await ended
})

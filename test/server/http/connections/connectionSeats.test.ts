// Seats as they are counted, for one connection after the other.

import { expect, test } from 'vitest'
import { ConnectionSeats, type SeatLimits } from '../../../../server/http/connections/connectionSeats.ts'

const seatsOf = (limits: Partial<SeatLimits>): ConnectionSeats =>
  new ConnectionSeats({ connections: 10, connectionsPerAddress: 10, sockets: 10, ...limits }, () => false)

function admitted(seats: ConnectionSeats, address: string, refuse: (why: string) => void = () => undefined) {
  const seat = seats.admit(address, refuse)
  if (seat === null) throw new Error('refused')
  return seat
}

test('a connection with one stream after the other takes a single place of those for streams', () => {
  const seats = seatsOf({ sockets: 2 })
  const again = admitted(seats, '127.0.0.2')
  const other = admitted(seats, '127.0.0.3')
  expect([again, again, other].map((seat) => seats.claimSocket(seat))).toEqual([true, true, true])
  expect(seats.claimSocket(admitted(seats, '127.0.0.4'))).toBe(false)
})

test('a connection that was closed before its key came is none of those that make room', () => {
  const seats = seatsOf({ connectionsPerAddress: 1 })
  const refused: string[] = []
  admitted(seats, '127.0.0.2')
  const open = (name: string) => admitted(seats, '127.0.0.2', () => refused.push(name))
  seats.release(open('closed'))
  open('first')
  expect(refused).toEqual([])
  open('second')
  expect(refused).toEqual(['first'])
})

import { beforeEach, expect, test, vi } from 'vitest'
import { FailureLog } from '../../../../server/methods/errors/failureLog.ts'

interface Line {
  readonly text: string
  readonly kind: string
  readonly calls?: number
}

let lines: Line[]
let log: FailureLog
beforeEach(() => {
  lines = []
  log = new FailureLog({
    warn: (facts: object, text?: string) => lines.push({ text: text ?? '', ...(facts as Omit<Line, 'text'>) }),
  })
})
const fail = (kind: string, count: number): void => {
  for (let i = 0; i < count; i++) log.failed({ method: 'getTime', kind, ms: 1, keyId: null, requestId: `${i}` })
}
/** Nothing is awaited meanwhile: the clock is that of the process, and nobody else must meet it. */
function withHandClock(run: () => void): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    run()
  } finally {
    vi.useRealTimers()
  }
}
const texts = () => lines.map(({ text, kind, calls }) => [kind, text, calls])

test('default: the first call of an outage is logged, the others are counted', () => {
  withHandClock(() => {
    fail('unavailable', 1_000)
    fail('timeout', 1)
    expect(texts()).toEqual([
      ['unavailable', 'call failed', undefined],
      ['timeout', 'call failed', undefined],
    ])
    vi.advanceTimersByTime(20_000)
    expect(texts().slice(2)).toEqual([['unavailable', 'calls failed, and no longer do', 1_000]])
  })
})

test('behavior: a long outage is reported each minute, the next one again', () => {
  withHandClock(() => {
    for (let round = 0; round < 14; round++) {
      fail('unavailable', 10)
      vi.advanceTimersByTime(10_000)
    }
    expect(texts()).toEqual([
      ['unavailable', 'call failed', undefined],
      ['unavailable', 'calls failed, and still do', 60],
      ['unavailable', 'calls failed, and still do', 120],
    ])
    vi.advanceTimersByTime(10_000)
    expect(texts().slice(3)).toEqual([['unavailable', 'calls failed, and no longer do', 140]])
    expect(vi.getTimerCount()).toBe(0)
    fail('unavailable', 1)
    expect(texts().at(-1)).toEqual(['unavailable', 'call failed', undefined])
  })
})

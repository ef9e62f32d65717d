// `tonrpc seed`: parts of the demo, played on a service that runs.

import { z } from 'zod'
import { Settings } from '../../app/settings/settings.ts'
import { PART_TITLES } from '../../demo/parts/titles.ts'
import { command } from '../command.ts'
import { serviceUrl, settingFlag } from '../flags.ts'

const NAMES = Object.keys(PART_TITLES)
const MOST_TIMES = 1000
const LONGEST_WAIT = 60
const width = Math.max(...NAMES.map((name) => name.length))

export const seedCommand = command({
  name: 'seed',
  summary: 'play parts of the demo on a running service',
  flags: z.strictObject({
    only: z
      .array(z.string().refine((name) => NAMES.includes(name), { error: `parts out of ${NAMES.join(', ')}` }))
      .optional()
      .meta({ takes: 'parts', description: 'parts to play, separated by commas (default all of them)' }),
    times: z
      .int()
      .min(1)
      .max(MOST_TIMES)
      .default(1)
      .describe('how often to play each; every time with contracts of its own'),
    url: serviceUrl,
    moveClock: z
      .boolean()
      .default(false)
      .describe("end auctions now by moving the chain's clock on; messages of wallets then expire earlier"),
    controlToken: settingFlag(
      Settings.shape.controlToken,
      'control token of the service, when it is on another machine',
    ),
  }),
  notes: [
    'parts:',
    ...Object.entries(PART_TITLES).map(([name, title]) => `  ${name.padEnd(width)}  ${title}`),
    '',
    `A step that has to wait up to ${LONGEST_WAIT} s is waited for. The end of auctions is further off (minutes with nft and offers,`,
    'an hour with dns) and left out without --move-clock.',
  ],
  async run({ only, times, url, moveClock, controlToken }, { out }) {
    const { play } = await import('./play.ts')
    const parts = only === undefined ? NAMES : NAMES.filter((name) => only.includes(name))
    await play({ parts, times, url, movesClock: moveClock, controlToken, longestWait: LONGEST_WAIT, out })
  },
})

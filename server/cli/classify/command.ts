// `tonrpc classify`: a trace as a tree, with its actions by the rules of this version. It stores nothing.

import { z } from 'zod'
import { command } from '../command.ts'
import { serviceUrl } from '../flags.ts'

export const classifyCommand = command({
  name: 'classify',
  summary: 'show a trace as a tree, with the actions found in it',
  words: [
    {
      name: 'TRACE',
      description:
        'id of a trace, or hash of one of its transactions, in a running service; or a JSON file, also gzipped',
    },
  ],
  flags: z.strictObject({ url: serviceUrl }),
  async run({ url }, { out }, [trace = '']) {
    const { traceTreeText: treeOf } = await import('./treeOf.ts')
    out(await treeOf(trace, url))
  },
})

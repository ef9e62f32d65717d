// Where a run keeps the demo it has played: found by the process that all that run files are children of.

import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const playedFolder = (runner: number): string => join(tmpdir(), `tonrpc-played-${runner}`)

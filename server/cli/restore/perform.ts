import { resolve } from 'node:path'
import { BackupFault, restoreBackup } from '../../backup/index.ts'
import { failureText, shellWord } from '../../process/index.ts'
import type { Io } from '../command.ts'
import { CommandError } from '../commandErrors.ts'

interface RestoreIo extends Io {
  readonly json: boolean
}

export async function runRestore(from: string, data: string, { out, err, json }: RestoreIo): Promise<void> {
  const path = resolve(data)
  try {
    const manifest = await restoreBackup(resolve(from), path, (part) => err(`restoring: ${part}`))
    const { files, network, madeAt } = manifest
    if (json) return out(JSON.stringify({ path, files: files.length, network, madeAt }))
    out(`Restored ${files.length} files of ${madeAt} to ${path}. All of them are what was copied.`)
    out(`To start it: tonrpc --data ${shellWord(path)} --network ${network}`)
  } catch (error) {
    const text = failureText(error)
    const words = error instanceof BackupFault ? text : `for an unexpected reason: ${text}`
    throw new CommandError(`nothing was restored: ${words}`, { cause: error })
  }
}

// A step of the build, after the compiler of TypeScript: leaves the compiled contracts of the demo where it looks for them.

import { writeContracts } from '../../devchain/contracts/buildContracts.ts'
import { compiledPath, sourceFolder, tolkContracts } from './compiled.ts'

export const buildDemoContracts = (): Promise<void> =>
  writeContracts({ folder: sourceFolder, names: tolkContracts }, compiledPath)

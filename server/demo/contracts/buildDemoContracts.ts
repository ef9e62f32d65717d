// A build step after the TypeScript compiler: writes the compiled contracts of the demo to where the demo reads them.

import { isFresh, writeCompiled } from '../../devchain/contracts/buildContracts.ts'
import { demoCompiledPath, demoSourceFolder, demoSources } from './compiledDemo.ts'

export const areDemoContractsFresh = (): boolean => isFresh(demoCompiledPath, demoSourceFolder)

export const buildDemoContracts = (): Promise<void> =>
  writeCompiled({ folder: demoSourceFolder, names: demoSources }, demoCompiledPath)

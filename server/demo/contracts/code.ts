// The compiled contracts of the demo, and their deployments.

import type { Cell } from '../../cell/index.ts'
import { contractCodes, type Deployment, type DeploymentPlace, deploymentOf } from '../../devchain/index.ts'
import { type DemoContract, demoCompiledPath } from './compiledDemo.ts'

export const { compiledContract, contractCode } = contractCodes<DemoContract>(demoCompiledPath)

/** The contract of this name with this initial data. */
export const deployment = (name: DemoContract, data: Cell, place?: DeploymentPlace): Deployment =>
  deploymentOf(contractCode(name), data, place)

// Control of the embedded chain.

import { boot } from '../pageBoot.ts'
import { Empty } from '../parts/Empty.tsx'
import { Compose } from './compose/Compose.tsx'
import { FaucetForm } from './FaucetForm.tsx'
import { MiningForm } from './MiningForm.tsx'
import { SetAccount } from './SetAccount.tsx'
import { Snapshots } from './Snapshots.tsx'
import { Time } from './Time.tsx'

export function Lab() {
  return (
    <>
      <h1>Lab</h1>
      {boot.control ? (
        <>
          <div class="lab">
            <FaucetForm />
            <Time />
            <Snapshots />
            <MiningForm />
            <SetAccount />
          </div>
          <Compose />
        </>
      ) : (
        <Empty title="The chain is controlled from the machine of the service.">
          <p>
            Open this page there under a loopback name, such as http://localhost, or send the control token with dev.*
            calls.
          </p>
        </Empty>
      )}
    </>
  )
}

// The explorer's page. It begins with what the service wrote into it, follows the chain, and shows the view of its address.
// It sees the client and pure files of `shared/`; the service knows nothing of it but its files.

import { render } from 'preact'
import { App } from './App.tsx'
import { Notices, startFrame } from './frame.tsx'
import { startLive } from './live.ts'
import { markSameAddresses } from './parts/Address.tsx'
import { Toasts } from './parts/Toast.tsx'
import { startRouter } from './router.ts'

function mount(id: string, content: preact.ComponentChild): void {
  const element = document.getElementById(id)
  if (element === null) return
  element.replaceChildren()
  render(content, element)
}

startRouter()
startLive()
startFrame()
markSameAddresses()
mount('main', <App />)
mount('notices', <Notices />)
mount('toasts', <Toasts />)

// A host for descriptions of tokens that answers over TLS, on this machine, as `token.test` and `other.test`.

import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Made for these tests, valid for a hundred years; nothing else trusts it. */
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgSLIbOequX3wKxrsx
ufphi2h436jmOGkCAF4ygyJva+WhRANCAATiWaqzhbXb9lo+m+ClEut4Ugqf2FWI
PJdbNK5Rw9LEen46CT/GL4o2TqV0f9S8ckWpj3kkCJC3geI+5ymiGjvU
-----END PRIVATE KEY-----`
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBqjCCAVCgAwIBAgIUHPhDr3+MIE9ajxvy3+wWjIEmAGUwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKdG9rZW4udGVzdDAgFw0yNjExMjAxMjU2NDhaGA8yMTI2MTAy
NzEyNTY0OFowFTETMBEGA1UEAwwKdG9rZW4udGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABOJZqrOFtdv2Wj6b4KUS63hSCp/YVYg8l1s0rlHD0sR6fjoJP8Yv
ijZOpXR/1LxyRamPeSQIkLeB4j7nKaIaO9SjfDB6MB0GA1UdDgQWBBS1PMAQgNGk
tqA/FbTgcZWVJe+nITAfBgNVHSMEGDAWgBS1PMAQgNGktqA/FbTgcZWVJe+nITAP
BgNVHRMBAf8EBTADAQH/MCcGA1UdEQQgMB6CCnRva2VuLnRlc3SCCm90aGVyLnRl
c3SHBH8AAAEwCgYIKoZIzj0EAwIDSAAwRQIgTVuyYRt1OnPRWHFcaeefhTUFj2Ci
6i/wLXafboqiqfMCIQCovTH/BOueOuG5nXapL6j2bEidyW4sg4AiyNQ2W+AtSw==
-----END CERTIFICATE-----`

/** Its port. */
export async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return String((server.address() as AddressInfo).port)
}

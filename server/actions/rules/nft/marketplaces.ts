// Marketplaces people know by name: by the contract that takes the fee, else by the collection that is sold nowhere else.

const GETGEMS = 'getgems'
const FRAGMENT = 'fragment'

const BY_ADDRESS: ReadonlyMap<string, string> = new Map([
  ['0:584EE61B2DFF0837116D0FCB5078D93964BCBE9C05FD6A141B1BFCA5D6A43E18', GETGEMS],
  ['0:9A9CB80ADFBD1662F5108766D73355AC2C03304FDA1D25A479670E34EFCD72B3', GETGEMS],
])

const BY_COLLECTION: ReadonlyMap<string, string> = new Map([
  // Usernames, and anonymous numbers.
  ['0:80D78A35F955A14B679FAA887FF4CD5BFC0F43B4A4EEA2A7E6927F3701B273C2', FRAGMENT],
  ['0:0E41DC1DC3C9067ED24248580E12B3359818D83DEE0304FABCF80845EAFAFDB2', FRAGMENT],
])

export function marketplaceName(address: string | null, collection: string | null): string | null {
  if (address !== null) return BY_ADDRESS.get(address) ?? null
  return collection === null ? null : (BY_COLLECTION.get(collection) ?? null)
}

export const isGetgems = (name: string | null): boolean => name === GETGEMS

module tonrpc/foreign/tongo

go 1.24.0

require github.com/tonkeeper/tongo v1.22.48

require (
	github.com/oasisprotocol/curve25519-voi v0.0.0-20220328075252-7dd334e3daae // indirect
	github.com/snksoft/crc v1.1.0 // indirect
	golang.org/x/crypto v0.45.0 // indirect
	golang.org/x/exp v0.0.0-20230116083435-1de6713980de // indirect
	golang.org/x/sys v0.38.0 // indirect
)

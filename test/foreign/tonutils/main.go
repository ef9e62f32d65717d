// Both ends of a connection to a lite server as tonutils-go speaks them, for a test of ours.
//
//	tonutils serve HOST:PORT SEED    a server; SEED is 64 hex digits
//	tonutils query HOST:PORT KEY     a client; KEY is in base64
package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
)

func main() {
	if len(os.Args) != 4 {
		log.Fatal("serve HOST:PORT SEED, or query HOST:PORT KEY")
	}
	run := map[string]func(address, key string) error{"serve": serve, "query": query}[os.Args[1]]
	if err := run(os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

// serve answers authentication by itself: the signature has to be readable, and is not checked.
func serve(address, seed string) error {
	raw, err := hex.DecodeString(seed)
	if err != nil {
		return err
	}
	server := liteclient.NewServer([]ed25519.PrivateKey{ed25519.NewKeyFromSeed(raw)})
	server.SetQueryHandler(func(_ context.Context, client *liteclient.ServerClient, id []byte, query tl.Serializable) {
		client.Answer(id, answer(query))
	})
	fmt.Println("serving")
	return server.Listen(address)
}

// answer gives an answer of its type to some requests; to all others, what it read of them, written again.
func answer(request any) tl.Serializable {
	switch r := request.(type) {
	case ton.GetTime:
		return ton.CurrentTime{Now: 1_700_000_000}
	case ton.GetVersion:
		return ton.Version{Version: 0x101, Capabilities: 15, Now: 6}
	case ton.GetBlockData:
		return ton.BlockData{ID: r.ID, Payload: bytes.Repeat([]byte{7}, int(r.ID.SeqNo))}
	}
	written, err := tl.Serialize(request, true)
	if err != nil {
		return ton.LSError{Code: -1, Text: err.Error()}
	}
	return ton.LSError{Code: 7, Text: fmt.Sprintf("%T %x", request, written)}
}

func query(address, key string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	pool := liteclient.NewConnectionPool()
	defer pool.Stop()
	if err := pool.AddConnection(ctx, address, key); err != nil {
		return err
	}
	const sizes = 40
	failures := make(chan error, sizes)
	for i := 0; i < sizes; i++ {
		go func(size uint32) {
			hash := make([]byte, 32)
			id := &ton.BlockIDExt{Workchain: -1, Shard: -1 << 63, SeqNo: size, RootHash: hash, FileHash: hash}
			var result tl.Serializable
			err := pool.QueryLiteserver(ctx, ton.GetBlockData{ID: id}, &result)
			if data, ok := result.(ton.BlockData); err == nil && (!ok || len(data.Payload) != int(size)) {
				err = fmt.Errorf("size %d: %T", size, result)
			}
			failures <- err
		}(uint32(i * i * 700))
	}
	for i := 0; i < sizes; i++ {
		if err := <-failures; err != nil {
			return err
		}
	}
	fmt.Println("all answered")
	return nil
}

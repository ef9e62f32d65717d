// tongo against the lite server of a configuration. Prints a line of JSON for each call: its name, and what came back or
// why not.
package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/tonkeeper/tongo/config"
	"github.com/tonkeeper/tongo/liteapi"
	"github.com/tonkeeper/tongo/ton"
)

type facts struct {
	Wallet   string
	Jetton   string
	Owner    string
	Messages []string
	Stale    string
}

func call(name string, work func() (any, error)) {
	line := map[string]any{"call": name}
	answer, err := work()
	if err != nil {
		line["error"] = err.Error()
	} else {
		line["answer"] = answer
	}
	text, _ := json.Marshal(line)
	fmt.Println(string(text))
}

func must(err error) {
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	file, err := os.Open(os.Args[1])
	must(err)
	cfg, err := config.ParseConfig(file)
	must(err)
	var f facts
	must(json.Unmarshal([]byte(os.Args[2]), &f))
	c, err := liteapi.NewClient(liteapi.WithConfigurationFile(*cfg), liteapi.WithProofPolicy(liteapi.ProofPolicyFast))
	must(err)
	wallet := ton.MustParseAccountID(f.Wallet)
	info, err := c.GetMasterchainInfo(ctx)
	must(err)
	last := info.Last.ToBlockIdExt()
	call("GetTime", func() (any, error) { return c.GetTime(ctx) })
	call("GetMasterchainInfoExt", func() (any, error) { r, e := c.GetMasterchainInfoExt(ctx, 0); return r.Capabilities, e })
	call("GetBlock", func() (any, error) { b, e := c.GetBlock(ctx, last); return b.Info.SeqNo, e })
	call("GetBlockHeader", func() (any, error) { b, e := c.GetBlockHeader(ctx, last, 0); return b.SeqNo, e })
	call("LookupBlock", func() (any, error) { id, _, e := c.LookupBlock(ctx, last.BlockID, 1, nil, nil); return id.Seqno, e })
	call("GetAccountState", func() (any, error) { a, e := c.GetAccountState(ctx, wallet); return a.LastTransLt, e })
	call("GetSeqno", func() (any, error) { return c.GetSeqno(ctx, wallet) })
	call("GetAllShardsInfo", func() (any, error) { s, e := c.GetAllShardsInfo(ctx, last); return len(s), e })
	call("GetLastTransactions", func() (any, error) { s, e := c.GetLastTransactions(ctx, wallet, 20); return len(s), e })
	call("ListBlockTransactions", func() (any, error) { s, _, e := c.ListBlockTransactions(ctx, last, 7, 20, nil); return len(s), e })
	call("GetBlockProof", func() (any, error) { _, e := c.GetBlockProofRaw(ctx, last, nil); return true, e })
	call("GetConfigAll", func() (any, error) { p, e := c.GetConfigAll(ctx, 0); return len(p.Config.Keys()), e })
	call("GetConfigParams", func() (any, error) {
		p, e := c.GetConfigParams(ctx, 0, []uint32{8, 34})
		return len(p.Config.Keys()), e
	})
	call("GetLibraries", func() (any, error) { l, e := c.GetLibraries(ctx, []ton.Bits256{{17}}); return len(l), e })
	call("GetOutMsgQueueSizes", func() (any, error) { s, e := c.GetOutMsgQueueSizes(ctx); return len(s.Shards), e })
	call("GetJettonData", func() (any, error) { m, e := c.GetJettonData(ctx, ton.MustParseAccountID(f.Jetton)); return m.Name, e })
	call("GetJettonWallet", func() (any, error) {
		return c.GetJettonWallet(ctx, ton.MustParseAccountID(f.Jetton), ton.MustParseAccountID(f.Owner))
	})
	boc, _ := base64.StdEncoding.DecodeString(f.Messages[0])
	call("SendMessage", func() (any, error) { return c.SendMessage(ctx, boc) })
	stale, _ := base64.StdEncoding.DecodeString(f.Stale)
	call("SendMessage: stale", func() (any, error) { return c.SendMessage(ctx, stale) })
	call("WaitMasterchainSeqno", func() (any, error) { return true, c.WaitMasterchainSeqno(ctx, last.Seqno+1, 10*time.Second) })
	call("WaitMasterchainBlock", func() (any, error) {
		b, e := c.WaitMasterchainBlock(ctx, last.Seqno+1, 10*time.Second)
		return b.Seqno, e
	})
}

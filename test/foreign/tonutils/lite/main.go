// tonutils-go, which checks every proof from the first key block on, against the lite server of a configuration. Prints a
// line of JSON for each call: its name, and what came back or why not.
package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

type facts struct {
	Wallet   string   `json:"wallet"`
	Messages []string `json:"messages"`
	Stale    string   `json:"stale"`
	Block    uint32   `json:"block"`
	Old      uint32   `json:"old"`
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

func message(text string) (*tlb.ExternalMessage, error) {
	boc, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	root, err := cell.FromBOC(boc)
	if err != nil {
		return nil, err
	}
	slice, err := root.BeginParse()
	if err != nil {
		return nil, err
	}
	var read tlb.ExternalMessage
	return &read, tlb.LoadFromCell(&read, slice)
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	config, err := liteclient.GetConfigFromFile(os.Args[1])
	must(err)
	var f facts
	must(json.Unmarshal([]byte(os.Args[2]), &f))
	pool := liteclient.NewConnectionPool()
	must(pool.AddConnectionsFromConfig(ctx, config))
	api := ton.NewAPIClient(pool, ton.ProofCheckPolicySecure)
	api.SetTrustedBlockFromConfig(config)
	ctx = pool.StickyContext(ctx)
	wallet, err := address.ParseRawAddr(f.Wallet)
	must(err)
	head, err := api.CurrentMasterchainInfo(ctx)
	must(err)
	const whole = -9223372036854775808

	call("CurrentMasterchainInfo", func() (any, error) { return head.SeqNo > 0, nil })
	call("GetTime", func() (any, error) {
		now, err := api.GetTime(ctx)
		return now > 1600000000, err
	})
	call("LookupBlock", func() (any, error) {
		id, err := api.LookupBlock(ctx, -1, whole, head.SeqNo)
		return err == nil && bytes.Equal(id.RootHash, head.RootHash), err
	})
	old, err := api.LookupBlock(ctx, -1, whole, f.Old)
	must(err)
	call("VerifyProofChain", func() (any, error) { return true, api.VerifyProofChain(ctx, head, old) })
	call("GetBlockProof", func() (any, error) {
		proof, err := api.GetBlockProof(ctx, old, head)
		return err == nil && len(proof.Steps) > 0, err
	})
	call("GetBlockData", func() (any, error) {
		block, err := api.GetBlockData(ctx, head)
		return err == nil && block.BlockInfo.SeqNo == head.SeqNo, err
	})
	call("GetBlockShardsInfo", func() (any, error) {
		shards, err := api.GetBlockShardsInfo(ctx, head)
		return len(shards), err
	})
	call("GetAccount", func() (any, error) {
		account, err := api.GetAccount(ctx, head, wallet)
		if err != nil {
			return nil, err
		}
		return account.State.Balance.Nano().String(), nil
	})
	call("GetAccount: absent", func() (any, error) {
		account, err := api.GetAccount(ctx, head, address.NewAddress(0, 0, bytes.Repeat([]byte{0xfe}, 32)))
		return err == nil && !account.IsActive, err
	})
	call("RunGetMethod", func() (any, error) {
		result, err := api.RunGetMethod(ctx, head, wallet, "seqno")
		if err != nil {
			return nil, err
		}
		seqno, err := result.Int(0)
		return err == nil && seqno.Sign() > 0, err
	})
	block, err := api.LookupBlock(ctx, 0, whole, f.Block)
	must(err)
	call("GetBlockTransactionsV2", func() (any, error) {
		all, _, err := api.GetBlockTransactionsV2(ctx, block, 100)
		return len(all) > 0, err
	})
	account, err := api.GetAccount(ctx, head, wallet)
	must(err)
	call("ListTransactions", func() (any, error) {
		all, err := api.ListTransactions(ctx, wallet, 10, account.LastTxLT, account.LastTxHash)
		return len(all), err
	})
	call("GetTransaction", func() (any, error) {
		all, err := api.ListTransactions(ctx, wallet, 1, account.LastTxLT, account.LastTxHash)
		if err != nil {
			return nil, err
		}
		lists, _, err := api.GetBlockTransactionsV2(ctx, block, 100)
		if err != nil {
			return nil, err
		}
		one, err := api.GetTransaction(ctx, block, address.NewAddress(0, 0, lists[0].Account), lists[0].LT)
		return err == nil && one.LT == lists[0].LT && len(all) == 1, err
	})
	call("GetBlockchainConfig", func() (any, error) {
		all, err := api.GetBlockchainConfig(ctx, head)
		return err == nil && all.Get(34) != nil, err
	})
	call("GetBlockchainConfig some", func() (any, error) {
		some, err := api.GetBlockchainConfig(ctx, head, 8, 34)
		return err == nil && some.Get(8) != nil, err
	})
	call("GetLibraries", func() (any, error) {
		found, err := api.GetLibraries(ctx, bytes.Repeat([]byte{17}, 32))
		return len(found) == 1 && found[0] == nil, err
	})
	call("GetOutMsgQueueSizes", func() (any, error) {
		sizes, err := api.GetOutMsgQueueSizes(ctx, nil, nil)
		return err == nil && len(sizes.Shards) == 2, err
	})
	for _, id := range []*ton.BlockIDExt{head, block} {
		in := fmt.Sprintf(" of workchain %d", id.Workchain)
		call("GetBlockOutMsgQueueSize"+in, func() (any, error) {
			size, err := api.GetBlockOutMsgQueueSize(ctx, id)
			return err == nil && size.Size >= 0, err
		})
		call("GetDispatchQueueInfo"+in, func() (any, error) {
			info, err := api.GetDispatchQueueInfo(ctx, id, nil, 64)
			return err == nil && info.Complete, err
		})
		call("GetDispatchQueueInfo after an address"+in, func() (any, error) {
			info, err := api.GetDispatchQueueInfo(ctx, id, wallet, 1)
			return err == nil && info.Complete, err
		})
		call("GetDispatchQueueMessages"+in, func() (any, error) {
			found, err := api.GetDispatchQueueMessages(ctx, id, wallet, 0, 64)
			return err == nil && found.Complete, err
		})
		call("GetDispatchQueueMessages with bodies of one account"+in, func() (any, error) {
			found, err := api.GetDispatchQueueMessages(
				ctx, id, wallet, 0, 16, ton.WithDispatchQueueMessagesBOC(), ton.WithDispatchQueueOneAccount(),
			)
			return err == nil && found.Complete, err
		})
	}
	call("GetAllNonfinalPendingShardBlocks", func() (any, error) { return api.GetAllNonfinalPendingShardBlocks(ctx) })
	call("GetAllNonfinalValidatorGroups", func() (any, error) { return api.GetAllNonfinalValidatorGroups(ctx) })
	call("FindLastTransactionByInMsgHash", func() (any, error) {
		all, err := api.ListTransactions(ctx, wallet, 5, account.LastTxLT, account.LastTxHash)
		if err != nil {
			return nil, err
		}
		for _, wanted := range all {
			if wanted.IO.In.MsgType != tlb.MsgTypeExternalIn {
				continue
			}
			found, err := api.FindLastTransactionByInMsgHash(ctx, wallet, wanted.IO.In.AsExternalIn().NormalizedHash())
			return err == nil && found.LT == wanted.LT, err
		}
		return nil, fmt.Errorf("none of %d was sent to the wallet from outside", len(all))
	})
	call("SubscribeOnTransactions", func() (any, error) {
		some, stop := context.WithCancel(ctx)
		defer stop()
		found := make(chan *tlb.Transaction)
		go api.SubscribeOnTransactions(some, wallet, 0, found)
		one, ok := <-found
		return ok && one.LT > 0, nil
	})
	call("SendExternalMessageWaitTransaction", func() (any, error) {
		read, err := message(f.Messages[0])
		if err != nil {
			return nil, err
		}
		done, at, _, err := api.SendExternalMessageWaitTransaction(ctx, read)
		return err == nil && done.LT > account.LastTxLT && at.SeqNo > 0, err
	})
	call("SendExternalMessage", func() (any, error) {
		read, err := message(f.Messages[1])
		if err != nil {
			return nil, err
		}
		return true, api.SendExternalMessage(ctx, read)
	})
	call("SendExternalMessage: stale", func() (any, error) {
		read, err := message(f.Stale)
		if err != nil {
			return nil, err
		}
		return true, api.SendExternalMessage(ctx, read)
	})
	call("WaitForBlock", func() (any, error) {
		next, err := api.WaitForBlock(head.SeqNo + 1).GetMasterchainInfo(ctx)
		return err == nil && next.SeqNo > head.SeqNo, err
	})
}

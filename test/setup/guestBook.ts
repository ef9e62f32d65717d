// A small contract with every kind of value in its get-methods, and a wrapper of the usual form around it.

import {
  type Address,
  beginCell,
  Cell,
  type Contract,
  type ContractProvider,
  contractAddress,
  type Sender,
  SendMode,
  type StateInit,
  type TupleItem,
} from '@ton/core'
import { runTolkCompiler } from '@ton/tolk-js'

const SOURCE = `
tolk 1.3

import "@stdlib/gas-payments"
import "@stdlib/lisp-lists"

struct Book {
    owner: address
    visits: uint32
    last: cell?
}

fun Book.load(): Book {
    return Book.fromCell(contract.getData());
}

fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) {
        return;
    }
    var book = Book.load();
    book.visits += 1;
    book.last = beginCell().storeSlice(in.body).endCell();
    contract.setData(book.toCell());
}

fun onExternalMessage(inMsg: slice) {
    assert (inMsg.loadUint(32) == 7) throw 707;
    acceptExternalMessage();
    var book = Book.load();
    book.visits += 100;
    contract.setData(book.toCell());
}

get fun book(): (int, address, cell?) {
    val book = Book.load();
    return (book.visits, book.owner, book.last);
}

get fun shapes(a: int, b: slice): ([int, [slice, cell]], lisp_list<int>, int?) {
    return ([a, [b, beginCell().storeSlice(b).endCell()]], [a, a + 1, a + 2], null);
}

get fun card(): ([int, [int, cell]], lisp_list<int>, address) {
    val book = Book.load();
    return ([book.visits, [7, book.toCell()]], [1, 2, 3], book.owner);
}

get fun sum(numbers: lisp_list<int>): int {
    var (all, left) = (0, numbers);
    while (!left.isEmpty()) {
        all += left.popHead();
    }
    return all;
}

get fun second(pair: [int, cell]): cell {
    return pair.1;
}

get fun draft(): (int, builder, int) {
    return (1, beginCell().storeUint(1, 8), 2);
}

get fun refuse(): int {
    throw 777;
}
`

export class GuestBook implements Contract {
  readonly address: Address
  readonly init?: StateInit

  constructor(address: Address, init?: StateInit) {
    this.address = address
    if (init) this.init = init
  }

  static async create(owner: Address): Promise<GuestBook> {
    const compiled = await runTolkCompiler({ entrypointFileName: 'book.tolk', fsReadCallback: () => SOURCE })
    if (compiled.status === 'error') throw new Error(compiled.message)
    const data = beginCell().storeAddress(owner).storeUint(0, 32).storeMaybeRef(null).endCell()
    const init = { code: Cell.fromBase64(compiled.codeBoc64), data }
    return new GuestBook(contractAddress(0, init), init)
  }

  async sendVisit(provider: ContractProvider, via: Sender, note: string): Promise<void> {
    await provider.internal(via, { value: '0.05', bounce: false, sendMode: SendMode.PAY_GAS_SEPARATELY, body: note })
  }

  async sendStamp(provider: ContractProvider, stamp: number): Promise<void> {
    await provider.external(beginCell().storeUint(stamp, 32).endCell())
  }

  async getBook(provider: ContractProvider) {
    const { stack } = await provider.get('book', [])
    return { visits: stack.readNumber(), owner: stack.readAddress(), last: stack.readCellOpt() }
  }

  async getShapes(provider: ContractProvider, a: bigint, cell: Cell) {
    const args: TupleItem[] = [
      { type: 'int', value: a },
      { type: 'slice', cell },
    ]
    const { stack } = await provider.get('shapes', args)
    const outer = stack.readTuple()
    const list = stack.readLispList()
    const first = outer.readBigNumber()
    const inner = outer.readTuple()
    return { first, slice: inner.readCell(), cell: inner.readCell(), list, nothing: stack.readBigNumberOpt() }
  }

  async getSum(provider: ContractProvider, numbers: readonly bigint[]): Promise<bigint> {
    const list = numbers.reduceRight<TupleItem>(
      (rest, value) => ({ type: 'tuple', items: [{ type: 'int', value }, rest] }),
      { type: 'null' },
    )
    return (await provider.get('sum', [list])).stack.readBigNumber()
  }

  async getSecond(provider: ContractProvider, cell: Cell): Promise<Cell> {
    const pair: TupleItem = {
      type: 'tuple',
      items: [
        { type: 'int', value: 1n },
        { type: 'cell', cell },
      ],
    }
    return (await provider.get('second', [pair])).stack.readCell()
  }

  async getDraft(provider: ContractProvider) {
    return (await provider.get('draft', [])).stack
  }

  async getRefused(provider: ContractProvider): Promise<number> {
    return (await provider.get('refuse', [])).stack.readNumber()
  }
}

import { z } from 'zod'
import { accountField, longNumberField, textField, usualFields } from './fields.ts'

const Packet = z
  .object({
    src_oapp: z.string().describe('Sending application, hex.'),
    dst_oapp: z.string().describe('Receiving application, hex.'),
    src_eid: z.int().describe('Endpoint id of the source chain.'),
    dst_eid: z.int().describe('Endpoint id of the target chain.'),
    nonce: longNumberField('Number of the packet in its channel.'),
    guid: z.string().describe('Id of the packet, hex.'),
    message: textField('Message, hex; null when unreadable.'),
  })
  .meta({ id: 'LayerzeroPacket' })

const SendData = z
  .object({
    send_request_id: longNumberField('Id of the request.'),
    msglib_manager: z.string().describe('Manager of the message library, hex.'),
    msglib: z.string().describe('Message library, hex.'),
    uln: accountField('Verification contract.'),
    native_fee: longNumberField('Fee in nanotons.'),
    zro_fee: longNumberField('Fee in ZRO.'),
    endpoint: accountField('Endpoint contract.'),
    channel: accountField('Channel contract.'),
  })
  .meta({ id: 'LayerzeroSendData' })

const packet = { layerzero_packet_data: Packet.describe('Packet.') }
const sent = { layerzero_send_data: SendData.describe('Request and fees.'), ...packet }
const channel = accountField('Channel contract.')
const initiator = accountField('Account that began it.')
const verification = { uln: accountField('Verification contract.'), uln_connection: accountField('Connection to it.') }

const Send = z.object({ initiator, ...sent }).meta({ id: 'LayerzeroSendDetails' })

const SendTokens = z
  .object({
    sender: usualFields.sender,
    sender_wallet: usualFields.senderWallet,
    oapp: accountField('Application.'),
    oapp_wallet: accountField('Jetton wallet of the application.'),
    asset: usualFields.jetton,
    amount: usualFields.amount,
    ...sent,
  })
  .meta({ id: 'LayerzeroSendTokensDetails' })

const Receive = z
  .object({ sender: usualFields.sender, oapp: accountField('Application.'), channel, ...packet })
  .meta({ id: 'LayerzeroReceiveDetails' })

const Commit = z
  .object({
    sender: usualFields.sender,
    endpoint: accountField('Endpoint contract.'),
    ...verification,
    channel,
    msglib_connection: accountField('Connection to the message library.'),
    ...packet,
  })
  .meta({ id: 'LayerzeroCommitPacketDetails' })

const Verify = z
  .object({
    initiator,
    nonce: longNumberField('Number of the packet in its channel.'),
    status: z.string().describe('Outcome of the verification.'),
    dvn: accountField('Verifier.'),
    proxy: accountField('Proxy of the verifier.'),
    ...verification,
  })
  .meta({ id: 'LayerzeroDvnVerifyDetails' })

export const layerzeroDetails = {
  layerzero_send: Send,
  layerzero_send_tokens: SendTokens,
  layerzero_receive: Receive,
  layerzero_commit_packet: Commit,
  layerzero_dvn_verify: Verify,
}

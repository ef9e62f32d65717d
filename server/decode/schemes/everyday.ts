export const everyday = [
  'text_comment#00000000 text:SnakeString',
  'encrypted_text_comment#2167da4b cipher_text:Bytes',
  'bounce#ffffffff payload:Cell',
  'excess#d53276db query_id:uint64',
  'top_up#d372158c query_id:uint64',
  'invoice_payload#7aa23eb5 id:bits128 url:SnakeString',
  'wallet_plugin_installation_notification#6e6f7465 query_id:uint64',
  'wallet_plugin_destruct#64737472 query_id:uint64',
  'wallet_plugin_destruct_response#e4737472 query_id:uint64',
  'payment_request#706c7567 query_id:uint64 amount:CurrencyCollection',
  'payment_confirmed#f06c7567 query_id:uint64',
  'subscription_payment#73756273 rest:Any',
] as const

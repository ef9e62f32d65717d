export { librariesOf } from '../../devchain/lite/cases.ts'
export { type LiteScene, openScene } from '../../devchain/lite/liteScene.ts'

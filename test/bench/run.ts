import { table } from './compare.ts'
import { benchHttp } from './http.ts'

console.log('Each row measures ours and the reference in turn, five rounds; ratios are medians.\n')
console.log(table(await benchHttp()))
process.exit(0)

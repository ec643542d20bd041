import type { Page } from '../page.ts'
import { renderGuideList, renderGuidePage, servePicture } from './guide-pages.ts'

/** Guides are public: they contain no data of the service. */
export const guidesPages: readonly Page[] = [
  { method: 'GET', path: '/guides', access: 'public', handle: renderGuideList },
  { method: 'GET', path: '/guides/:name', access: 'public', handle: renderGuidePage },
  { method: 'GET', path: '/guides/pictures/:name', access: 'public', handle: servePicture },
]

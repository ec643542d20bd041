/** Of each rule that looks for phrases: a sentence that it means, and one that is nearly so. */
export const PHRASES: readonly (readonly [rule: string, meant: string, near: string])[] = [
  [
    'terms-fees-change',
    'We may from time to time increase the fees.',
    'We may not increase the fees during a term.',
  ],
  ['terms-payment', 'You agree to pay all invoices.', 'You do not have to pay for the sandbox.'],
  ['terms-free-plan', 'There is a free plan for tests.', 'There is no free plan any more.'],
  [
    'terms-change-without-notice',
    'This API can be changed without prior notice.',
    'We will not change this API without prior notice.',
  ],
  [
    'terms-change-any-time',
    'We may modify these Terms at any time.',
    'You may ask for a copy of these terms at any time.',
  ],
  [
    'terms-change-notice',
    "We give thirty (30) days' notice before changes of the terms.",
    'Invoices are due within 30 days; notice is sent by mail.',
  ],
  [
    'terms-non-commercial',
    'The data is for non-commercial use only.',
    'The data is for commercial and non-commercial use only within the EU.',
  ],
  [
    'terms-no-competing',
    'You may not use the API to build a competing product.',
    'You may not send data of minors to a competent authority.',
  ],
  [
    'terms-no-benchmarks',
    'You must not publish benchmarks of the service.',
    'Our benchmarks show how fast the service is.',
  ],
  [
    'terms-no-caching',
    'You may not cache any results for more than a day.',
    'You may not store malicious content.',
  ],
  [
    'terms-no-reverse-engineering',
    'You shall not reverse engineer the service.',
    'Amounts are shown in reverse order by the service.',
  ],
  [
    'terms-termination-any-time',
    'We may suspend your account at any time.',
    'You may terminate this agreement at any time.',
  ],
  [
    'terms-sells-data',
    'We may sell your personal information to partners.',
    'We never sell your personal information.',
  ],
  [
    'terms-sells-no-data',
    'We do not sell your personal data.',
    'We do not sell your personal data except to partners.',
  ],
  [
    'terms-shares-data',
    'We may share your personal data with third parties.',
    'We may not share your personal data with third parties.',
  ],
  [
    'terms-data-processing',
    'The Data Processing Addendum is part of these terms.',
    'Data processing takes place in Frankfurt.',
  ],
  [
    'terms-keep-ownership',
    'You retain all rights in your content.',
    'You do not own your content once it is published, and you own your data not.',
  ],
  [
    'terms-broad-licence',
    'You hereby grant us a perpetual, worldwide licence.',
    'You grant us a licence for the time of the contract.',
  ],
  [
    'terms-trains-models',
    'We may use your content to train our models.',
    'We may use your content to train our staff.',
  ],
  [
    'terms-no-training',
    'We do not use customer data for training of models.',
    'We do not use your data for advertising.',
  ],
  [
    'terms-export',
    'You can export all of your data as CSV.',
    'You can download our brochure from the site.',
  ],
  [
    'terms-deletion-at-end',
    'We will delete your data 30 days after termination.',
    'We will delete spam after a review of it.',
  ],
  [
    'terms-governing-law',
    'These terms are governed by the laws of Estonia.',
    'The limits are governed by your plan.',
  ],
  [
    'terms-arbitration',
    'Disputes are resolved by binding arbitration.',
    'Disputes are not subject to binding arbitration.',
  ],
  [
    'terms-class-waiver',
    'You waive the right to take part in a class action.',
    'A class action is a way to go to court.',
  ],
  [
    'deprecated-by-words',
    'This API has been deprecated in favour of v3.',
    'Endpoints of this API that are deprecated are marked.',
  ],
]

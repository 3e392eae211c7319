// SPDX identifiers of the licences that let anyone redistribute. Made by scripts/make-licence-data.mjs.
export const PERMISSIVE_IDS: readonly string[] = `
  0BSD AAL AFL-1.1 AFL-1.2 AFL-2.0 AFL-2.1 AFL-3.0 AGPL-1.0 AGPL-1.0-only AGPL-1.0-or-later
  AGPL-3.0 AGPL-3.0-only AGPL-3.0-or-later ALGLIB-Documentation APL-1.0 APSL-1.0 APSL-1.1 APSL-1.2
  APSL-2.0 Apache-1.1 Apache-2.0 Artistic-1.0 Artistic-1.0-Perl Artistic-1.0-cl8 Artistic-2.0
  BSD-1-Clause BSD-2-Clause BSD-2-Clause-Patent BSD-3-Clause BSD-3-Clause-LBNL
  BSD-3-Clause-Open-MPI BSL-1.0 BlueOak-1.0.0 CAL-1.0 CAL-1.0-Combined-Work-Exception CATOSL-1.1
  CC-BY-1.0 CC-BY-2.0 CC-BY-2.5 CC-BY-2.5-AU CC-BY-3.0 CC-BY-3.0-AT CC-BY-3.0-AU CC-BY-3.0-DE
  CC-BY-3.0-IGO CC-BY-3.0-NL CC-BY-3.0-US CC-BY-4.0 CC-BY-SA-1.0 CC-BY-SA-2.0 CC-BY-SA-2.0-UK
  CC-BY-SA-2.1-JP CC-BY-SA-2.5 CC-BY-SA-3.0 CC-BY-SA-3.0-AT CC-BY-SA-3.0-DE CC-BY-SA-3.0-IGO
  CC-BY-SA-4.0 CC-PDDC CC-PDM-1.0 CC0-1.0 CDDL-1.0 CECILL-2.1 CERN-OHL-P-2.0 CERN-OHL-S-2.0
  CERN-OHL-W-2.0 CNRI-Python CPAL-1.0 CPL-1.0 CUA-OPL-1.0 ECL-1.0 ECL-2.0 EFL-1.0 EFL-2.0 EPL-1.0
  EPL-2.0 EUDatagrid EUPL-1.1 EUPL-1.2 Entessa Fair Frameworx-1.0 GPL-1.0 GPL-1.0+ GPL-1.0-only
  GPL-1.0-or-later GPL-2.0 GPL-2.0+ GPL-2.0-only GPL-2.0-or-later GPL-2.0-with-GCC-exception
  GPL-2.0-with-autoconf-exception GPL-2.0-with-bison-exception GPL-2.0-with-classpath-exception
  GPL-2.0-with-font-exception GPL-3.0 GPL-3.0+ GPL-3.0-only GPL-3.0-or-later
  GPL-3.0-with-GCC-exception GPL-3.0-with-autoconf-exception HPND ICU IPA IPL-1.0 ISC Intel Jam
  LGPL-2.0 LGPL-2.0+ LGPL-2.0-only LGPL-2.0-or-later LGPL-2.1 LGPL-2.1+ LGPL-2.1-only
  LGPL-2.1-or-later LGPL-3.0 LGPL-3.0+ LGPL-3.0-only LGPL-3.0-or-later LPL-1.0 LPL-1.02 LPPL-1.3c
  LiLiQ-P-1.1 LiLiQ-R-1.1 LiLiQ-Rplus-1.1 MIT MIT-0 MIT-Modern-Variant MPL-1.0 MPL-1.1 MPL-2.0
  MPL-2.0-no-copyleft-exception MS-PL MS-RL MirOS Motosoto MulanPSL-2.0 Multics NASA-1.3 NCSA NGPL
  NIST-PD NIST-PD-fallback NPOSL-3.0 NTIA-PD NTP Naumen Nokia OCLC-2.0 OFL-1.1 OFL-1.1-RFN
  OFL-1.1-no-RFN OGTSL OLDAP-2.8 OLFL-1.3 OSC-1.0 OSET-PL-2.1 OSL-1.0 OSL-2.0 OSL-2.1 OSL-3.0
  PDDL-1.0 PHP-3.0 PHP-3.01 PostgreSQL Python-2.0 QPL-1.0 RPL-1.1 RPL-1.5 RPSL-1.0 RSCPL SAX-PD
  SAX-PD-2.0 SISSL SPL-1.0 SimPL-2.0 Sleepycat UCL-1.0 UPL-1.0 Unicode-3.0 Unicode-DFS-2016
  Unlicense VSL-1.0 W3C W3C-20150513 Watcom-1.0 WordNet Xnet ZPL-2.0 ZPL-2.1 Zlib blessing
  wxWindows
`
  .trim()
  .split(/\s+/);

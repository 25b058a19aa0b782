import type { InvoiceFormOptions } from "./invoice-details";

/** The countries of ISO 3166-1, by which Stripe names them in addresses. */
const countryCodes = `
AD AE AF AG AI AL AM AO AQ AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CD CF CG
CH CI CK CL CM CN CO CR CV CW CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FO FR GA GB GD GE GF GG GH GI GL GM
GN GP GQ GR GS GT GU GW GY HK HN HR HT HU ID IE IL IM IN IO IQ IS IT JE JM JO JP KE KG KH KI KM KN KR KW KY KZ LA LB LC
LI LK LR LS LT LU LV LY MA MC MD ME MF MG MK ML MM MN MO MQ MR MS MT MU MV MW MX MY MZ NA NC NE NG NI NL NO NP NR NU NZ
OM PA PE PF PG PH PK PL PM PN PR PS PT PY QA RE RO RS RU RW SA SB SC SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SZ TC
TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VN VU WF WS XK YE YT ZA ZM ZW`
  .trim()
  .split(/\s+/);

/** Stripe's types of tax ids, each named after its country. */
export const taxIdTypes = `
ad_nrt ae_trn al_tin am_tin ao_tin ar_cuit au_abn au_acn au_arn au_wpn aw_tin az_tin ba_tin bb_tin bd_bin bf_ifu bg_uic
bh_vat bj_ifu bo_tin br_cnpj br_cpf bs_tin bw_vat by_tin ca_bn ca_gst_hst ca_pst_bc ca_pst_mb ca_pst_sk ca_qst cd_nif
ch_uid ch_vat ci_vat cl_tin cm_niu cn_tin co_nit cr_tin cv_nif cz_dic de_stn do_rcn ec_ruc eg_tin es_cif et_tin
eu_oss_vat eu_vat fo_vat fr_siren fr_siret fr_spi gb_vat ge_vat gh_tin gi_tin gn_nif hk_br hr_oib hu_tin ic_nif id_npwp
il_vat in_gst is_kt is_vat it_cf jp_cn jp_rn jp_trn ke_pin kg_tin kh_tin kr_brn kz_bin la_tin li_uid li_vat lk_vat
ma_vat md_cf md_vat me_pib mk_vat mr_nif mu_vat mx_rfc my_frp my_itn my_sst mz_nuit ng_tin no_vat no_voec np_pan nz_bn
nz_gst om_vat pe_ruc ph_tin pl_nip pt_nif py_ruc ro_tin rs_pib ru_inn ru_kpp sa_vat sg_gst sg_uen si_tin sm_coe
sn_ninea sr_fin sv_nit th_vat tj_tin tr_tin tt_bir tt_vat tw_vat tz_vat ua_vat ug_tin us_ein uy_ruc uz_tin uz_vat ve_rif
vn_tin za_vat zm_tin zw_tin`
  .trim()
  .split(/\s+/);

const names = new Intl.DisplayNames("en", { type: "region" });

/** "United Kingdom: VAT", from "gb_vat". */
export function taxIdLabel(type: string): string {
  const [country = "", ...kind] = type.toUpperCase().split("_");
  return `${names.of(country) ?? country}: ${kind.join(" ")}`;
}

export function isCountry(code: string): boolean {
  return countryCodes.includes(code);
}

/** The options, by their names. The European VAT id comes first, because most who look for one look for it. */
export function invoiceFormOptions(): InvoiceFormOptions {
  const byLabel = (one: { label: string }, other: { label: string }) =>
    one.label.localeCompare(other.label, "en");
  const types = taxIdTypes.map((value) => ({ value, label: taxIdLabel(value) }));
  const european = ({ value }: { value: string }) => value === "eu_vat";
  return {
    countries: countryCodes
      .map((value) => ({ value, label: names.of(value) ?? value }))
      .toSorted(byLabel),
    taxIdTypes: [
      ...types.filter(european),
      ...types.filter((type) => !european(type)).toSorted(byLabel),
    ],
  };
}

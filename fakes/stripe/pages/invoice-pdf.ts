import type { Account } from "../account.ts";
import { day, money } from "./page.ts";

/** An invoice as a PDF of one page: number, date, lines and totals. */
export function showInvoicePdf(account: Account, id: string): Response {
  const invoice = account.state.invoices[id];
  if (!invoice?.number) return new Response("There is no such invoice.", { status: 404 });
  const { currency } = invoice;
  const amount = (value: number) => money(value, currency);
  const discount = sum(invoice.total_discount_amounts);
  const tax = sum(invoice.total_taxes);
  return new Response(
    pdfOf([
      `Invoice ${invoice.number}`,
      `Date ${day(invoice.created)}`,
      `Bill to ${invoice.customer_email ?? ""}`,
      ...invoice.lines.data.map((line) => `${line.description}  ${amount(line.amount)}`),
      `Subtotal ${amount(invoice.subtotal)}`,
      ...(discount ? [`Discount -${amount(discount)}`] : []),
      ...(tax ? [`Tax ${amount(tax)}`] : []),
      `Total ${amount(invoice.total)}`,
      `Amount due ${amount(invoice.amount_remaining)}`,
    ]),
    {
      headers: {
        "content-type": "application/pdf",
        "content-disposition": `attachment; filename="Invoice-${invoice.number}.pdf"`,
        "cache-control": "no-store",
      },
    },
  );
}

function sum(amounts: { amount: number }[] | null): number {
  return (amounts ?? []).reduce((total, { amount }) => total + amount, 0);
}

/** The smallest PDF that shows some lines of text; letters beyond Latin-1 become question marks. */
function pdfOf(lines: string[]): Uint8Array<ArrayBuffer> {
  const written = lines.map((line) => {
    const safe = line.replace(/[^\x20-\xff]/g, "?").replace(/[\\()]/g, "\\$&");
    return `(${safe}) Tj T*`;
  });
  const content = `BT /F1 12 Tf 16 TL 72 770 Td ${written.join(" ")} ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n `;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join("\n")}\n`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(file + table + trailer, "latin1"));
}

"""Weights for assent candidates: made by tests/eval/train_decisions.py, read by model.py, not for people.

A compressed table of trees and of hashed words; no text went into it.
"""

from __future__ import annotations

from typing import Final

PACKED: Final = (
    b"c-mD|+m72f4E>ipXAF^)D5<|v6o%?}rp9FLtnDBL7XA0~;taAcKB9OLc}V)d)7<_Ux6`-pr}n;&Yd<XOIu84^%%}6IZJ*=iiGADqaaQqXTStN6S6"
    b"es1@iOgOzu#ANndW}DF55JJh#---_A&NPOMOcN%*#c^<^5e>Jd}sDT*fcKb9+kv-pB1o%r72&8}=7z__a*K_<FI-``WfwoA>GWi*#L<&ll0~Mc($"
    b"d-?x{G$FiFJP4iI2Z5loe*X6cs?b_dGAww=+l3mB!b+S6v`@Hq@_*)a&_T_dnHumLnv|tB?&k$mKYlE3QD}DUGKT<&3E#t3J9uohfed(WRXyzVhy"
    b"<bN=JlgCbt*9UJ{5sks$nodY<n$Igz?=(3LL!cU1<$AJG>>f+J5^VPSkIxOm<yccCSU@wQqMxE+Eoa#s!<3zaZz2!Ky-fNE{|^^sedg&HHa($4zG"
    b"l)UWp@TJ%~~ELqO6403a5#rd&m*Cnk)^Q>l=mooZrsI}8l^ASTQfBS1(wT6Qr7cdR7g>?#3y_*f5X0QRa1XNyFb5*;aHKAwgYihH7XnifFM`ZR;2"
    b"XyFlqauty)CL<<cG(QPh*m8h`Mh#E~P&cTlWXk~wVz5ZkGwtxvK0Ef?(4^JhMEkt)w%Wzkri=Eli13!XT$vS9B~+wRi=reEwNJHZ5z;TASutg{{!"
    b"zxND5OZ?sgp3Em>IKTl7NbobQV%4#fV+(YOJUzd=<qMg%LrbssNNE9qJ?-RLoe4qIgHe;~FHr^BZ>3XHpb`s-lpe6e;K|q0kDF4RlfzDY87T7{yU"
    b"hqJv^6(Pl_Qn;XtHG%-gux-+1USoVe_oli|Ucmcud30@v}wcy2ra{*2bI8*4vq4S7ND>}>Qq?7l6yd~rvB5zpq#%oi*>o^q~stP{V<n!udOD-kXW"
    b"ru3BgLw8iHL&Fk<X<+3!BmkgMnVU>W7e^iz1DAurm4|)oNZX4+TVaI0f@zPY%GC0U~sT)$7uGloc3D@0c^!=?}cw8yx5}=vbx1sR2NH7T>^`eVl>"
    b"FC?i{RM7Lpa%>W~>wDPzdqHv_J!%N0~tWY-nQc1&hNO$w8~UTg%4ab4w4qX4F<vXu(5zy>w_`12POPR-5"
)
